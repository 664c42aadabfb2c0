import { startVitest } from 'vitest/node';
import { ROOT } from './installation.ts';

/**
 * Runs tests that `npm test` does not run. The exit code says whether they passed.
 * @param include their files, as Vitest's patterns
 * @param reporter how Vitest prints the tests
 */
export async function runTrial(include: string, reporter: string): Promise<void> {
  await startVitest('test', [], {
    root: ROOT,
    config: false,
    watch: false,
    include: [include],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/loopback-only.ts',
    reporters: [reporter],
    // As many as the cores that CI has.
    maxConcurrency: 2,
    // Only for a test that hangs: no result may depend on the machine's speed.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  });
}
