import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, test, vi } from 'vitest';
import { activate, DOES_NOT_LOAD, type Plan } from './plan.ts';

const plan = JSON.parse(readFileSync(process.env.MUTATION_PLAN as string, 'utf8')) as Plan;

// Modules are loaded once, because loading takes longer than testing; only the test files are imported again, each time
// with another query string. If a mutant is in code that runs on import, our modules are loaded again.
for (const task of plan.tasks) {
  const load = () => {
    activate(task);
    if (task.reload) vi.resetModules();
  };
  describe(task.id, () => {
    load();
    beforeAll(load);
    for (const file of task.testFiles)
      describe(file, async () => {
        appendFileSync(plan.signs, '.');
        try {
          await import(`${path.resolve(file)}?mutant=${task.id}`);
        } catch (error) {
          test(DOES_NOT_LOAD, () => Promise.reject(error));
        }
      });
  });
}
