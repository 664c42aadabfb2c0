// Says what is missing where an editor, or vitest itself, is started with another Node.
import './cli/needs-node.mjs';
import { defineConfig } from 'vitest/config';

/** The file for CI's counts of passed and failed tests, as JSON. */
const counts = process.env.TEST_COUNTS;

const NO_TESTS = [
  '**/node_modules/**',
  // What a copy can have is tested there.
  'operations/**',
];

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: NO_TESTS,
    reporters: counts ? ['default', ['json', { outputFile: counts }]] : ['default'],
    // Hides the output of tests that passed.
    silent: 'passed-only',
    // Each worker loads the CDK and the SDK anew, and compiles both while it runs.
    maxWorkers: 2,
    // Files share their imports: loading the CDK alone takes seconds.
    isolate: false,
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: ['stages-anywhere', 'matchers', 'loopback-only', 'undo-changes'].map(
      (name) => `test/support/${name}.ts`,
    ),
    // Only for tests that never end: the slowest take some ten seconds, and minutes on a machine that thirty processes share.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    coverage: {
      // Instruments these files only: V8's own coverage slows down all code, and makes the tests a third longer.
      provider: 'istanbul',
      reportOnFailure: true,
      include: ['lambda/**/*.ts', 'commands/generate/property-types/*.ts', 'client/src/**'],
      // Copies of commands/generate/property-types/ that `npm run generate` writes: a property more must not need tests of its type.
      exclude: ['lambda/property-types/!(int64|integer|object|property-type|text).ts'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
