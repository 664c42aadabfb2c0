import { defineConfig } from 'vitest/config';

/** Whole verifications of services that were broken on purpose: too long for everybody's `npm test`. */
export default defineConfig({
  test: {
    include: ['test/tools/*.verify.ts'],
    silent: 'passed-only',
    globalSetup: 'test/support/global-setup.ts',
    // Only for a test that waits for ever: no verdict may depend on the machine's speed.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
