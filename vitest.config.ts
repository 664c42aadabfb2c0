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
    // The machines that run this are shared: a slow minute must not fail a test that waits for a process.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      include: ['lambda/**', 'client/src/**'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
