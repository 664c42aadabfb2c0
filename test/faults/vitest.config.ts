import { defineConfig } from 'vitest/config';

/** The whole matrix of faults: minutes of waiting and hardly any work, so many cells run at once. */
export default defineConfig({
  test: {
    include: ['test/faults/*.faults.ts'],
    fileParallelism: false,
    maxConcurrency: 16,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
