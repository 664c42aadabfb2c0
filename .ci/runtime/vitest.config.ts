import { defineConfig } from 'vitest/config';

/** The deployed function under AWS's runtime client. */
export default defineConfig({
  test: {
    include: ['.ci/runtime/*.runtime.ts'],
    globalSetup: 'test/support/global-setup.ts',
    maxConcurrency: 16,
    // Only for a test that hangs: no result may depend on the machine's speed.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
