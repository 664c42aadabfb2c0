import { makeTemporaryRoot } from '../../test/support/temporary-root.ts';

/** With the usual factor of 20, each mutant that makes a request hang would take a minute. */
const SLOWNESS = 3;

/** Runs before Vitest's worker starts. @returns the teardown */
export default () => makeTemporaryRoot(SLOWNESS);
