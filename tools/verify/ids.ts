import { randomInt } from 'node:crypto';
import type { ContractCase } from '../../contract/contract-case.ts';

/**
 * The ids that are reserved for verification in every deployment: 2^40 ids from -2^62 on, far from ids that people use.
 * Clients should not use them. README, "Verify", publishes this.
 */
export const VERIFY_IDS = { first: -(2n ** 62n), last: -(2n ** 62n) + 2n ** 40n - 1n } as const;

/** The start of the contract cases' ids: the same in every run, so that a second run adds nothing. */
const CASES_FROM = VERIFY_IDS.first + 2n ** 20n;

/** A random id; the chance that it equals a given earlier one is 1 in 2^39. */
export function newId(): bigint {
  return VERIFY_IDS.last - BigInt(randomInt(2 ** 39));
}

/** An id from 1,000 to 999,999 in plain digits, as in most cases. */
const PLAIN_ID = /(:[ \t\r\n]*)([1-9]\d{3,5})(?=[ \t\r\n]*[,}])/g;

/** Whether a case stores a plant, or needs a stored one. */
export function storesPlant({ expected, given }: Pick<ContractCase, 'expected' | 'given'>): boolean {
  return expected.status === 200 || expected.error === 40901 || given.length > 0;
}

/**
 * Moves the ids of a case, and of the plants that it needs, into the reserved range.
 * @returns undefined if an id cannot be moved: it is written in an unusual way, or the case is about this id
 */
export function movedCase(contractCase: ContractCase): ContractCase | undefined {
  const { body, expected } = contractCase;
  const given = contractCase.given.map(moveBody);
  const moved = body && moveBody(body);
  const isStored = expected.status === 200 || expected.error === 40901;
  const isSafe = given.every(isOurs) && (!isStored || (moved !== undefined && isOurs(moved)));
  return isSafe ? { ...contractCase, body: moved, given } : undefined;
}

function moveBody(body: Buffer): Buffer {
  // Latin-1 keeps every byte.
  const text = body.toString('latin1');
  return Buffer.from(
    text.replace(PLAIN_ID, (_, before: string, id: string) => before + (CASES_FROM + BigInt(id))),
    'latin1',
  );
}

/** Whether the id of a body is in the reserved range. A double is exact enough: it is at most 256 away from the id. */
function isOurs(body: Buffer): boolean {
  try {
    const { id } = JSON.parse(body.toString());
    return id >= Number(VERIFY_IDS.first) && id <= Number(VERIFY_IDS.last);
  } catch {
    return false;
  }
}
