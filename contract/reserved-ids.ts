import { randomInt } from 'node:crypto';
import type { Ids } from './cases.ts';
import { bodyOf, WHOLE } from './examples.ts';

/**
 * The first of the ids that are reserved for verification in every deployment: 2^40 ids from -2^62 on, far from ids that people use.
 * Clients should not use them. commands/README.md, "Verify", publishes this.
 */
const FIRST = -(2n ** 62n);

/** More than the ids of the cases, which have at most six digits. */
const MOST_IDS = 2n ** 20n;

/** The one plant that a verification without `--write` creates: the same in every run, so only the first run adds it. */
export const VERIFY_ID = FIRST + 2000n;
export const VERIFY_BODY = bodyOf(VERIFY_ID, WHOLE);

/** A random id of the upper half; the chance that it equals a given earlier one is 1 in 2^39. */
export function newId(): bigint {
  return FIRST + 2n ** 39n + BigInt(randomInt(2 ** 39));
}

/**
 * The ids of a run's cases. Those of stored plants are the same in every run, so that a second run adds none. Those of refusals
 * are new, so that they are known to be free.
 */
export function caseIds(): Ids {
  return { stored: FIRST, refused: newId() - MOST_IDS };
}
