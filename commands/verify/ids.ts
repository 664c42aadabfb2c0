import { randomInt } from 'node:crypto';
import type { Ids } from '../../contract/cases.ts';

/**
 * The first of the ids that are reserved for verification in every deployment: 2^40 ids from -2^62 on, far from ids that people use.
 * Clients should not use them. commands/README.md, "Verify", publishes this.
 */
const FIRST = -(2n ** 62n);

/** More than the ids of the cases, which have at most six digits. */
const MOST_IDS = 2n ** 20n;

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

/** Whether an address is this machine's own. Any other may be that of a protected stage. */
export function isOwn(baseUrl: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(baseUrl).hostname);
}
