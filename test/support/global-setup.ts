import { skippedTests } from './needs.ts';
import { makeTemporaryRoot } from './temporary-root.ts';

/** Runs once before vitest's workers start. @returns the teardown, which runs once after they have ended */
export default function setUp(): () => void {
  makeTemporaryRoot();
  return () => {
    const skipped = skippedTests();
    if (skipped.length > 0) process.stderr.write(`\n${skipped.join('\n')}\n`);
  };
}
