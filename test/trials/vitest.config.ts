import { defineConfig } from 'vitest/config';

/** All faults that a store can have; `npm test` has a sample of them. */
export default defineConfig({
  test: {
    include: ['test/trials/faults/*.faults.ts'],
    globalSetup: 'test/support/global-setup.ts',
    maxConcurrency: 16,
    // Only for a test that waits for ever: no verdict may depend on the machine's speed.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
