import { makeTemporaryRoot } from '../test/support/temporary-root.ts';

/** The usual factor, 20, would let each mutant that makes a request hang take a minute. */
const SLOWNESS = 3;

/** Runs once before Vitest's worker starts. @returns runs once after it has ended */
export default () => makeTemporaryRoot(SLOWNESS);
