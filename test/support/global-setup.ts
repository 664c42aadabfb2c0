import { skippedTests } from './needs.ts';
import { makeTemporaryRoot } from './temporary-root.ts';

/** More than the factor by which a machine with 20 other busy processes is slower. */
const SLOWNESS = 20;

/** Runs once before vitest's workers start. @returns the teardown, which runs once after they have ended */
export default function setUp(): () => void {
  makeTemporaryRoot(SLOWNESS);
  return () => {
    const skipped = skippedTests();
    if (skipped.length > 0) process.stderr.write(`\n${skipped.join('\n')}\n`);
  };
}
