import { globSync } from 'node:fs';
import { type Coverage, type Mutant, NO_MUTANT, type Result, SET_UP, type Task } from './plan.ts';
import type { Target, TestGroup } from './targets.ts';
import type { Pace, Workers } from './workers.ts';

/** What is known of the mutants so far, by their ids. */
export interface Progress {
  /** How each detected mutant was detected. */
  readonly kills: Map<string, Result>;
  /** The mutants that were tried against some tests or that no test runs. Later tests may detect more of them. */
  readonly tried: Set<string>;
}

/** How many times as often as without the mutant its code may run before that is an endless loop (Stryker's factor). */
const HIT_FACTOR = 100;
/** On a busy machine a few tests may time out without any mutant; these are left out. More are an error. */
const MAX_FAILED = 5;
/** A batch of tests that start processes may start one for each mutant at once. */
const BATCH = { inside: 20, outside: 4 };
/** A test hangs if it takes this many times as long as the slowest one of its group without a mutant, */
const SLOW_FACTOR = 5;
/** and at least this long, in milliseconds. */
const LEAST_MS = { inside: 10_000, outside: 60_000 };
/** Without a mutant nothing may hang for longer than this, in milliseconds. */
const DRY_RUN: Pace = { batch: 1, testMs: 300_000, stalledMs: 600_000 };

/**
 * Runs the tests of a target against each mutant.
 * @param progress is filled while they run
 */
export async function tryMutants(
  mutants: readonly Mutant[],
  target: Target,
  workers: Workers,
  { kills, tried }: Progress,
): Promise<void> {
  const testFiles: string[] = [];
  const groups = target.tests.map((group) => {
    // A file belongs to the first group that names it.
    const files = findTests(group.files).filter((file) => !testFiles.includes(file));
    testFiles.push(...files);
    return { ...group, files };
  });
  const dryRun = [{ id: NO_MUTANT, testFiles, reload: false, hitLimits: {} }];
  workers.skips = target.skips;
  const [{ coverage, failed = [], slowest = {} } = {}] = await workers.runProcess(dryRun, DRY_RUN);
  if (!coverage) throw new Error('The tests do not run.');
  for (const test of failed) console.info(`Left out, because it fails without any mutant: ${test}`);
  if (failed.length > MAX_FAILED) throw new Error('Too many tests fail without any mutant.');
  workers.leftOut = failed;
  const tasksOf = groups.map((group) =>
    mutants
      .map((mutant) => taskOf(mutant, group, coverage, target.reloads ?? []))
      .filter((task) => task.testFiles.length > 0),
  );
  const covered = new Set(tasksOf.flat().map(({ id }) => id));
  for (const { id } of mutants) if (!covered.has(id)) tried.add(id);
  for (const [index, { files, startsProcesses }] of groups.entries()) {
    const tasks = (tasksOf[index] ?? []).filter(({ id }) => !kills.has(id));
    console.info(`${tasks.length} mutants against ${files.length} test files`);
    const where = startsProcesses ? 'outside' : 'inside';
    const slowestMs = Math.max(0, ...files.map((file) => slowest[file] ?? 0));
    const testMs = Math.round(Math.max(LEAST_MS[where], SLOW_FACTOR * slowestMs));
    // Between two signs of life there is at most one test with its hooks, or the loading of one test file.
    const pace: Pace = { batch: BATCH[where], testMs, stalledMs: 20_000 + 3 * testMs };
    await workers.tryTasks(tasks, pace, (result) => {
      if (result.killedBy !== undefined) kills.set(result.id, result);
      tried.add(result.id);
    });
    console.info(`${kills.size} of ${mutants.length} detected`);
  }
}

function findTests(patterns: readonly string[]): string[] {
  const files = patterns.flatMap((pattern) => globSync(pattern)).sort();
  if (files.length === 0) throw new Error(`No test file matches ${patterns.join(', ')}.`);
  return files;
}

function taskOf(
  { id, file }: Mutant,
  { files, areIndependent }: TestGroup,
  coverage: Coverage,
  reloads: readonly string[],
): Task {
  const reload = coverage.static[id] !== undefined || reloads.some((start) => file.startsWith(start));
  const hits = Object.entries(coverage.perTest).flatMap(([test, { [id]: count }]) =>
    count === undefined ? [] : [[test, count] as const],
  );
  const inSetUp = (coverage.static[id] ?? 0) + (coverage.perTest[SET_UP]?.[id] ?? 0);
  const covering = new Set(hits.map(([test]) => test.split(' > ', 1)[0]));
  const needsAll = reload || inSetUp > 0;
  return {
    id,
    file,
    reload,
    testFiles: needsAll ? files : files.filter((each) => covering.has(each)),
    tests: needsAll || !areIndependent ? undefined : hits.map(([test]) => test),
    hitLimits: Object.fromEntries(
      [...hits, [SET_UP, inSetUp] as const].map(([test, count]) => [test, HIT_FACTOR * (count + inSetUp)]),
    ),
  };
}
