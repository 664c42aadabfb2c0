import { defineConfig } from 'vitest/config';

/** Where CI wants the numbers of tests that passed and failed, as JSON. */
const counts = process.env.TEST_COUNTS;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: counts ? ['default', ['json', { outputFile: counts }]] : ['default'],
    // What a passed test printed is nobody's news.
    silent: 'passed-only',
    // Half of the time is spent waiting for time-outs and processes, so more files at once than there are cores.
    maxWorkers: 4,
    // Files share what they import: loading the CDK alone takes seconds.
    isolate: false,
    globalSetup: 'test/support/global-setup.ts',
    // Only for a test that waits for ever: no verdict may depend on the machine's speed.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    coverage: {
      include: ['lambda/**', 'client/src/**'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
