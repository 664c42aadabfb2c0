import type { ContractCase } from '../../contract/cases.ts';

/**
 * The ids that belong to verification, in every deployment: 2^40 of them from -2^62 on, far from where people begin to
 * count. Nothing else should use them. README, "Verify", publishes this.
 */
export const VERIFY_IDS = { first: -(2n ** 62n), last: -(2n ** 62n) + 2n ** 40n - 1n } as const;

/** The largest body that the service accepts, in bytes. */
export const LARGEST_BODY = 1_048_576;

/** Where the ids of contract cases are moved to: the same place in every run, so that a second run adds nothing. */
const CASES_FROM = VERIFY_IDS.first + 2n ** 20n;
/** Where the ids stand that `--write` spells in unusual ways. */
export const SPELT_FROM = VERIFY_IDS.first + 2n ** 19n;
/** Where ids are drawn from that have to be new. */
const NEW_FROM = VERIFY_IDS.first + 2n ** 21n;

/** Draws an id that no earlier run has used, but for one chance in about 10^12. */
export function newId(): bigint {
  const span = VERIFY_IDS.last - NEW_FROM;
  return NEW_FROM + (BigInt(Math.floor(Math.random() * 2 ** 52)) % span);
}

/** An id of the table of cases that is plain digits, between 1,000 and 999,999, as most are. */
const PLAIN_ID = /(:[ \t\r\n]*)([1-9]\d{3,5})(?=[ \t\r\n]*[,}])/g;

/** Whether a case stores a plant, or gives one before. */
export function storesPlant({ expected, given }: Pick<ContractCase, 'expected' | 'given'>): boolean {
  return expected.status === 200 || expected.error === 40901 || given.length > 0;
}

/**
 * A case with its ids, and those of what is given before, in the range of verification.
 * @returns undefined where an id cannot be moved: it is spelt in an unusual way, is the point of the case, or the longer
 * id would make the body too large
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
  // Latin-1 keeps every byte as it is.
  const text = body.toString('latin1');
  return Buffer.from(
    text.replace(PLAIN_ID, (_, before: string, id: string) => before + (CASES_FROM + BigInt(id))),
    'latin1',
  );
}

/** Whether what a body stores is in the range: its id is read as text by JSON.parse, not by the service's parser. */
function isOurs(body: Buffer): boolean {
  const keepText = (key: string, value: unknown, { source }: { source?: string }) =>
    key === 'id' ? source : value;
  try {
    // TypeScript does not know the third argument yet (ECMAScript, JSON.parse source text access).
    const { id } = JSON.parse(body.toString(), keepText as (key: string, value: unknown) => unknown);
    return /^-?\d+$/.test(id) && BigInt(id) >= VERIFY_IDS.first && BigInt(id) <= VERIFY_IDS.last;
  } catch {
    return false;
  }
}
