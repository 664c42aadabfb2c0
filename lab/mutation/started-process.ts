/**
 * Loaded first into each Node process of a mutation run, by NODE_OPTIONS. In a process that a test starts, the project's
 * files have their mutants too, and so have copies of them below its working folder. Processes whose environment the test
 * writes in full have none.
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
  const isCopy = (file: string, name: string) =>
    code[name] !== undefined && readFileSync(file, 'utf8') === readFileSync(path.join(root, name), 'utf8');
  /** The code with mutants of one of the project's files, or of an unchanged copy of one. */
  const mutated = (file: string) => {
    const own = code[path.relative(root, file)];
    const name = path.relative(process.cwd(), file);
    return own ?? (isCopy(file, name) ? code[name] : undefined);
  };
  registerHooks({
    load(url, context, next) {
      const source = url.startsWith('file:') ? mutated(fileURLToPath(url)) : undefined;
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
