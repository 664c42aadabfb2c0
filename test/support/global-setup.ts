import { makeTemporaryRoot } from './temporary-root.ts';

/** By how much a machine that is busy with 20 other processes is slower, and something to spare. */
const SLOWNESS = 20;

/** Runs once before vitest's workers start. @returns runs once after they have ended */
export default function setUp(): () => Promise<void> {
  return makeTemporaryRoot(SLOWNESS);
}
