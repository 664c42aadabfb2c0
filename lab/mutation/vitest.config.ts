import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import type { Plan } from './plan.ts';

const plan = JSON.parse(readFileSync(process.env.MUTATION_PLAN as string, 'utf8')) as Plan;

/** One Vitest process of a mutation run; `run.ts` starts it with a plan. */
export default defineConfig({
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id: string) => plan.code[path.relative(process.cwd(), id)],
    },
  ],
  test: {
    include: ['lab/mutation/mutants.driver.ts'],
    runner: 'lab/mutation/mutation-runner.ts',
    globalSetup: 'lab/mutation/global-setup.ts',
    // The cache's key is the file's own text, not the one with mutants: an earlier run's mutants would be tested.
    fsModuleCache: false,
    isolate: false,
    maxWorkers: 1,
    reporters: [{}],
    silent: true,
    testTimeout: 10_000,
    hookTimeout: 10_000,
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
