import { defineConfig } from 'vitest/config';

/** The deployed function under AWS's runtime client; `npm run test:runtime` builds that first. */
export default defineConfig({
  test: {
    include: ['test/trials/runtime/*.runtime.ts'],
    globalSetup: 'test/support/global-setup.ts',
    // Only for a test that hangs: no result may depend on the machine's speed.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
