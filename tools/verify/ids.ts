import type { ContractCase } from '../../contract/cases.ts';

/**
 * The ids that are reserved for verification in every deployment: 2^40 ids from -2^62 on, far from ids that people use.
 * Clients should not use them. README, "Verify", publishes this.
 */
export const VERIFY_IDS = { first: -(2n ** 62n), last: -(2n ** 62n) + 2n ** 40n - 1n } as const;

/** The largest body that the service accepts, in bytes. */
export const LARGEST_BODY = 1_048_576;

/** The start of the contract cases' ids: the same in every run, so that a second run adds nothing. */
const CASES_FROM = VERIFY_IDS.first + 2n ** 20n;
/** The start of the ids that `--write` writes in unusual ways. */
export const SPELT_FROM = VERIFY_IDS.first + 2n ** 19n;
/** The start of the range for random new ids. */
const NEW_FROM = VERIFY_IDS.first + 2n ** 21n;

/** A random id that no earlier run has used, with a chance of error of about 1 in 10^12. */
export function newId(): bigint {
  const span = VERIFY_IDS.last - NEW_FROM;
  return NEW_FROM + (BigInt(Math.floor(Math.random() * 2 ** 52)) % span);
}

/** An id from 1,000 to 999,999 in plain digits, as in most cases. */
const PLAIN_ID = /(:[ \t\r\n]*)([1-9]\d{3,5})(?=[ \t\r\n]*[,}])/g;

/** Whether a case stores a plant, or needs a stored one. */
export function storesPlant({ expected, given }: Pick<ContractCase, 'expected' | 'given'>): boolean {
  return expected.status === 200 || expected.error === 40901 || given.length > 0;
}

/**
 * Moves the ids of a case, and of the plants that it needs, into the reserved range.
 * @returns undefined if an id cannot be moved: it is written in an unusual way, the case is about this id, or the
 * longer id would make the body too large
 */
export function movedCase(contractCase: ContractCase): ContractCase | undefined {
  const { body, expected } = contractCase;
  const given = contractCase.given.map(moveBody);
  const moved = body && moveBody(body);
  const isStored = expected.status === 200 || expected.error === 40901;
  const isSafe = given.every(isOurs) && (!isStored || (moved !== undefined && isOurs(moved)));
  const isGrown = body && moved && body.length <= LARGEST_BODY && moved.length > LARGEST_BODY;
  return isSafe && !isGrown ? { ...contractCase, body: moved, given } : undefined;
}

function moveBody(body: Buffer): Buffer {
  // Latin-1 keeps every byte.
  const text = body.toString('latin1');
  return Buffer.from(
    text.replace(PLAIN_ID, (_, before: string, id: string) => before + (CASES_FROM + BigInt(id))),
    'latin1',
  );
}

/** Whether the id of a body is in the reserved range. JSON.parse reads it as text, not the service's parser. */
function isOurs(body: Buffer): boolean {
  const keepText = (key: string, value: unknown, { source }: { source?: string }) =>
    key === 'id' ? source : value;
  try {
    // TypeScript's types lack the third argument (ECMAScript, JSON.parse source text access).
    const { id } = JSON.parse(body.toString(), keepText as (key: string, value: unknown) => unknown);
    return /^-?\d+$/.test(id) && BigInt(id) >= VERIFY_IDS.first && BigInt(id) <= VERIFY_IDS.last;
  } catch {
    return false;
  }
}
