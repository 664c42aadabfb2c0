import { randomInt } from 'node:crypto';
import type { ContractCase } from '../../contract/contract-case.ts';

/**
 * The ids that are reserved for verification in every deployment: 2^40 ids from -2^62 on, far from ids that people use.
 * Clients should not use them. docs/first-deployment.md, "Verify", publishes this.
 */
export const VERIFY_IDS = { first: -(2n ** 62n), last: -(2n ** 62n) + 2n ** 40n - 1n } as const;

/** The start of the contract cases' ids: the same in every run, so that a second run adds nothing. */
const CASES_FROM = VERIFY_IDS.first + 2n ** 20n;

/** A random id; the chance that it equals a given earlier one is 1 in 2^39. */
export function newId(): bigint {
  return VERIFY_IDS.last - BigInt(randomInt(2 ** 39));
}

/** An id from 1,000 to 999,999 in plain digits, as in most cases, or a shorter one after `"id":`. */
const PLAIN_ID = /(:[ \t\r\n]*)([1-9]\d{3,5}|(?<="id":)[1-9]\d{0,2})(?=[ \t\r\n]*[,}])/g;

/**
 * An id that some reader may see, although the body is wrong: in broken JSON, a form, XML or a query, as a string, or before a
 * fraction. What is wrong with it stays.
 */
const LENIENT_ID = /(\bid\b["'\s:=>[]*)([1-9]\d{0,5})(?=\.\d*(?![\d.eE])|[^\d.eE_,]|,(?!\d)|$)/g;

/** The first digits after the name `id`, in its spellings, without a word between. */
const AFTER_ID = /(?:\bid\b|\\u0069d|i\\u0064)[^\p{L}\p{Nd}]*?(-?\p{Nd}+)/gu;

/** Whether a case stores a plant, or needs a stored one. */
export function storesPlant({ expected, given }: Pick<ContractCase, 'expected' | 'given'>): boolean {
  return expected.status === 200 || given.length > 0;
}

/**
 * Moves the ids of a case, and of the plants that it needs, into the reserved range.
 * @returns undefined if an id cannot be moved: it is written in an unusual way, or the case is about this id
 */
export function movedCase(contractCase: ContractCase): ContractCase | undefined {
  const { body, expected } = contractCase;
  const given = contractCase.given.map((each) => movedBody(each, PLAIN_ID));
  const moved = body && movedBody(body, PLAIN_ID);
  const isStored = expected.status === 200 || expected.error === 40901;
  const isSafe = given.every(isOurs) && (!isStored || (moved !== undefined && isOurs(moved)));
  const path = movedText(contractCase.path, LENIENT_ID);
  return isSafe ? { ...contractCase, path, body: moved, given } : undefined;
}

/**
 * Moves the ids of a case that must be refused into the reserved range, so that a service that accepts it by mistake stores
 * nothing under an id of somebody.
 * @returns also whether no other id is left that a lenient reader might see
 */
export function movedRefusal(contractCase: ContractCase): { moved: ContractCase; isSafe: boolean } {
  const path = movedText(contractCase.path, LENIENT_ID);
  const { body } = contractCase;
  if (body && isEncoded(body)) return { moved: contractCase, isSafe: false };
  const moved = body && movedBody(movedBody(body, PLAIN_ID), LENIENT_ID);
  const ids = [...`${path}\n${moved ?? ''}`.matchAll(AFTER_ID)];
  return {
    moved: { ...contractCase, path, body: moved },
    isSafe: ids.every(([, id = '']) => isReserved(id)),
  };
}

function movedText(text: string, pattern: RegExp): string {
  return text.replace(pattern, (_, before: string, id: string) => before + (CASES_FROM + BigInt(id)));
}

/** Latin-1 keeps every byte. */
function movedBody(body: Buffer, pattern: RegExp): Buffer {
  return Buffer.from(movedText(body.toString('latin1'), pattern), 'latin1');
}

function isReserved(id: string): boolean {
  return /^-\d{1,19}$/.test(id) && BigInt(id) >= VERIFY_IDS.first && BigInt(id) <= VERIFY_IDS.last;
}

/** Whether a body is gzip or UTF-16, which a service may decode although it must not. */
function isEncoded(body: Buffer): boolean {
  return body[0] === 0x1f || body.subarray(0, 4).includes(0);
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
