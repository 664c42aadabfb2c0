import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { here } from './places.ts';
import type { Plan } from './plan.ts';

const plan = JSON.parse(readFileSync(process.env.MUTATION_PLAN as string, 'utf8')) as Plan;
const load = (id: string) => plan.code[path.relative(process.cwd(), id)];

/** One Vitest process of a mutation run; `run.ts` starts it with a plan. */
export default defineConfig({
  plugins: [{ name: 'mutants', enforce: 'pre', load }],
  test: {
    include: [here('mutants.driver.ts')],
    runner: here('mutation-runner.ts'),
    globalSetup: here('global-setup.ts'),
    // The cache's key is the file's own text, not the one with mutants: an earlier run's mutants would be tested.
    fsModuleCache: false,
    isolate: false,
    maxWorkers: 1,
    reporters: [{}],
    silent: true,
    testTimeout: plan.testMs,
    hookTimeout: plan.testMs,
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
