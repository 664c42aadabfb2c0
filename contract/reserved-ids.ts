import { randomInt } from 'node:crypto';
import type { Ids } from './cases.ts';
import { bodyOf, WHOLE } from './examples.ts';
import { RESERVED } from './key.ts';

/** More than the ids of the cases, which have at most six digits. */
const MOST_IDS = 2n ** 20n;

/** The one plant that a verification without `--write` creates: the same in every run, so only the first run adds it. */
export const VERIFY_ID = RESERVED.first + 2000n;
export const VERIFY_BODY = bodyOf(VERIFY_ID, WHOLE);

/** A random number of the upper half; of numbers as ids, the chance that it equals a given earlier one is 1 in 2^39. */
export function newId(): bigint {
  const half = RESERVED.count / 2n;
  return RESERVED.first + half + BigInt(randomInt(Math.min(Number(half), 2 ** 47)));
}

/**
 * The ids of a run's cases. Those of stored plants are the same in every run, so that a second run adds none. Those of refusals
 * are new, so that they are known to be free.
 */
export function caseIds(): Ids {
  return { stored: RESERVED.first, refused: newId() - MOST_IDS };
}
