import { defineConfig } from 'vitest/config';

/** Whole verifications of services that were broken on purpose: too long for everybody's `npm test`. */
export default defineConfig({
  test: {
    include: ['test/tools/*.verify.ts'],
    silent: 'passed-only',
    testTimeout: 60_000,
  },
});
