/**
 * Loaded first into each Node process of a mutation run, by NODE_OPTIONS. In a process that a test starts, the project's
 * files have their mutants too. Processes whose environment the test writes in full, and copies of the project, have none.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutantSwitch, type Plan, type ProcessCoverage } from './plan.ts';

/** The mutated code may run this often before that is an endless loop; no command's code runs as often in a test. */
const HIT_LIMIT = 1_000_000;

const { MUTATION_PLAN, MUTATION_TEST: test } = process.env;

// Vitest's own processes start before any test.
if (MUTATION_PLAN !== undefined && test !== undefined) {
  const { root, code, processes } = JSON.parse(readFileSync(MUTATION_PLAN, 'utf8')) as Plan;
  Object.assign(mutantSwitch(), { hitCount: 0, hitLimit: HIT_LIMIT });
  registerHooks({
    load(url, context, next) {
      const source = url.startsWith('file:') ? code[path.relative(root, fileURLToPath(url))] : undefined;
      return source === undefined
        ? next(url, context)
        : { format: 'module-typescript', source, shortCircuit: true };
    },
  });
  process.on('exit', () => {
    const { activeMutant, mutantCoverage } = mutantSwitch();
    const coverage: ProcessCoverage = { test, hits: mutantCoverage?.static ?? {} };
    if (activeMutant === undefined) appendFileSync(processes, `${JSON.stringify(coverage)}\n`);
  });
}
