import { randomInt } from 'node:crypto';
import type { ContractCase } from '../../contract/contract-case.ts';

/**
 * The ids that are reserved for verification in every deployment: 2^40 ids from -2^62 on, far from ids that people use.
 * Clients should not use them. docs/commands.md, "Verify", publishes this.
 */
export const VERIFY_IDS = { first: -(2n ** 62n), last: -(2n ** 62n) + 2n ** 40n - 1n } as const;

/** More than the ids that are moved, which are under a million. */
const MOST_IDS = 2n ** 20n;

/** The start of the ids of the cases that store plants: the same in every run, so that a second run adds nothing. */
const CASES_FROM = VERIFY_IDS.first + MOST_IDS;

/** A random id; the chance that it equals a given earlier one is 1 in 2^39. */
export function newId(): bigint {
  return VERIFY_IDS.last - BigInt(randomInt(2 ** 39));
}

/** An id from 1,000 to 999,999 in plain digits, as in most cases, or a shorter one after `"id":`. */
const PLAIN_ID =
  /((?:\bid|\\u0069(?:d|\\u0064)|i\\u0064)"[ \t\r\n]*:[ \t\r\n]*)([1-9]\d{3,5}|(?<="id":)[1-9]\d{0,2})(?=[ \t\r\n]*[,}])/g;

/**
 * An id that some reader may see, although the body is wrong: in broken JSON, a form, XML or a query, as a string, or before a
 * fraction. What is wrong with it stays.
 */
const LENIENT_ID = /(\bid\b["'\s:=>[]*)([1-9]\d{0,5})(?=\.\d*(?![\d.eE])|[^\d.eE_,]|,(?!\d)|$)/g;

/** The first number after the name `id`, in its spellings, without a word between. */
const AFTER_ID = /(?:\bid\b|\\u0069(?:d|\\u0064)|i\\u0064)[^\p{L}\p{Nd}]*?(-?\p{Nd}[\p{Nd}.eE+-]*)/gu;

/** Whether a case stores a plant, or needs a stored one. */
export function storesPlant({ expected, given }: Pick<ContractCase, 'expected' | 'given'>): boolean {
  return expected.status === 200 || given.length > 0;
}

/** A case with other ids. */
interface Moved {
  readonly moved: ContractCase;
  /** Whether no other id is left that a lenient reader might see. */
  readonly isSafe: boolean;
}

/** Moves the ids of a case that stores plants, and of the plants that it needs, into the reserved range. */
export function movedCase(contractCase: ContractCase): Moved {
  const given = contractCase.given.map((each) => movedBody(each, PLAIN_ID));
  const body = contractCase.body && movedBody(contractCase.body, PLAIN_ID);
  const path = movedText(contractCase.path, LENIENT_ID);
  const isSafe = [...given, body ?? '', path].every(hasOurIds);
  return { moved: { ...contractCase, path, body, given }, isSafe };
}

/**
 * Moves the ids of a case that must be refused into the reserved range, so that a service that accepts it by mistake stores
 * nothing under an id of somebody. They are new in every run, so that the absent one is known to be free.
 */
export function movedRefusal(contractCase: ContractCase): Moved {
  const from = newId() - MOST_IDS;
  const path = movedText(contractCase.path, LENIENT_ID, from);
  const { body, expected } = contractCase;
  if (body && isEncoded(body)) return { moved: contractCase, isSafe: false };
  const moved = body && movedBody(movedBody(body, PLAIN_ID, from), LENIENT_ID, from);
  const absent =
    expected.status === 400 && expected.absent?.replace(/^\d{1,6}$/, (id) => `${from + BigInt(id)}`);
  return {
    moved: { ...contractCase, path, body: moved, expected: { ...expected, ...(absent && { absent }) } },
    isSafe: hasOurIds(path) && hasOurIds(moved ?? ''),
  };
}

/** Whether all ids in a text are in the reserved range. A double is exact enough: it is at most 256 away from the id. */
function hasOurIds(text: string | Buffer): boolean {
  const [first, last] = [Number(VERIFY_IDS.first), Number(VERIFY_IDS.last)];
  return [...String(text).matchAll(AFTER_ID)].every(([, id]) => Number(id) >= first && Number(id) <= last);
}

function movedText(text: string, pattern: RegExp, from = CASES_FROM): string {
  return text.replace(pattern, (_, before: string, id: string) => before + (from + BigInt(id)));
}

/** Latin-1 keeps every byte. */
function movedBody(body: Buffer, pattern: RegExp, from = CASES_FROM): Buffer {
  return Buffer.from(movedText(body.toString('latin1'), pattern, from), 'latin1');
}

/** Whether a body is gzip or UTF-16, which a service may decode although it must not. */
function isEncoded(body: Buffer): boolean {
  return body[0] === 0x1f || body.subarray(0, 4).includes(0);
}
