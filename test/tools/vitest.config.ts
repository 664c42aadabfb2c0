import { defineConfig } from 'vitest/config';

/** Complete verifications of deliberately broken services, which take too long for `npm test`. */
export default defineConfig({
  test: {
    include: ['test/tools/*.verify.ts'],
    silent: 'passed-only',
    globalSetup: 'test/support/global-setup.ts',
    // Only for a test that hangs: no result may depend on the machine's speed.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
