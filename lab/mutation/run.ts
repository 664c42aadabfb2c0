/** `npm run lab -- mutation`: the mutation test of the function. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { EXIT, runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { makeMutants } from './mutants.ts';
import { type Coverage, type Mutant, NO_MUTANT, SET_UP, type Task } from './plan.ts';
import { report } from './report.ts';
import { Workers } from './workers.ts';

/** Fast tests with expectations written by hand. Fuzzing would kill more mutants, but at random. */
const TESTS = [
  'test/lambda/**/*.test.ts',
  'test/contract/openapi.test.ts',
  'lab/mutation/contract.mutation.ts',
];
/** Tests of one module, which are tried first. */
const UNITS = /^test\/lambda\/(?:\w+\/|limits|environment)/;
/** How many times as often as without the mutant its code may run before that is an endless loop (Stryker's factor). */
const HIT_FACTOR = 100;
/** On a busy machine a few tests may time out without any mutant; these are left out. More are an error. */
const MAX_FAILED = 5;
/** The minimum share of killed mutants, in per cent. */
const THRESHOLD = 95;

await runCommand(
  {
    usage: 'npm run lab -- mutation [--only PARTS] [--workers N]',
    about: 'Makes many small changes to lambda/, one at a time, and lists those that no test detects.',
    options: {
      only: { value: 'PARTS', about: 'only files whose paths contain one of these, separated by commas' },
      workers: { value: 'N', about: 'number of processes', default: '2' },
    },
    notes: `Exit codes: 0 if at least ${THRESHOLD} % were detected, 1 if not, 2 if the command is invalid.`,
  },
  async ({ only = '', workers: count }) => {
    const workerCount = wholeNumber('workers', count, 1, 64);
    // The packages of this folder are installed on first use.
    if (!existsSync(path.join(import.meta.dirname, 'node_modules')))
      execFileSync('npm', ['ci', '--prefix', import.meta.dirname], { stdio: 'inherit' });
    const { mutants, code } = await makeMutants(globSync('lambda/**/*.ts').sort());
    const chosen = mutants.filter(({ file }) => only.split(',').some((part) => file.includes(part)));
    if (report(chosen, await tryAll(chosen, new Workers(code, workerCount))) < THRESHOLD)
      process.exitCode = EXIT.failed;
  },
);

function findTests(): string[] {
  return TESTS.flatMap((pattern) => {
    const files = globSync(pattern);
    if (files.length === 0) throw new Error(`No test file matches ${pattern}.`);
    return files.sort();
  });
}

/** @returns for each killed mutant's id, the test that detected it */
async function tryAll(chosen: readonly Mutant[], workers: Workers): Promise<Map<string, string>> {
  const testFiles = findTests();
  const [dryRun] = await workers.runProcess([{ id: NO_MUTANT, testFiles, reload: false, hitLimits: {} }]);
  const { coverage, failed = [] } = dryRun ?? {};
  if (!coverage) throw new Error('The tests do not run.');
  for (const test of failed) console.info(`Left out, because it fails without any mutant: ${test}`);
  if (failed.length > MAX_FAILED) throw new Error('Too many tests fail without any mutant.');
  workers.leftOut = failed;
  const killed = new Map<string, string>();
  for (const isUnit of [true, false]) {
    const files = testFiles.filter((file) => UNITS.test(file) === isUnit);
    const tasks = chosen
      .filter(({ id }) => !killed.has(id))
      .map((mutant) => taskOf(mutant, files, coverage))
      .filter((task) => task.testFiles.length > 0);
    console.info(`${tasks.length} mutants against the ${isUnit ? 'tests of modules' : 'other tests'}`);
    await workers.tryTasks(tasks, ({ id, killedBy }) => {
      if (killedBy !== undefined) killed.set(id, killedBy);
    });
    console.info(`${killed.size} of ${chosen.length} detected`);
  }
  return killed;
}

function taskOf({ id, file }: Mutant, files: readonly string[], coverage: Coverage): Task {
  // Only its own test loads the entry point.
  const reload = coverage.static[id] !== undefined || file === 'lambda/handler.ts';
  const hits = Object.entries(coverage.perTest).flatMap(([test, { [id]: count }]) =>
    count === undefined ? [] : [[test, count] as const],
  );
  const inSetUp = (coverage.static[id] ?? 0) + (coverage.perTest[SET_UP]?.[id] ?? 0);
  const covering = new Set(hits.map(([test]) => test.split(' > ', 1)[0]));
  return {
    id,
    file,
    reload,
    testFiles: reload || inSetUp > 0 ? files : files.filter((each) => covering.has(each)),
    hitLimits: Object.fromEntries(
      [...hits, [SET_UP, inSetUp] as const].map(([test, count]) => [test, HIT_FACTOR * (count + inSetUp)]),
    ),
  };
}
