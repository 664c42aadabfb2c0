import { globSync } from 'node:fs';
import { type Coverage, type Mutant, NO_MUTANT, type Result, SET_UP, type Task } from './plan.ts';
import type { Target } from './targets.ts';
import type { Pace, Workers } from './workers.ts';

/** How many times as often as without the mutant its code may run before that is an endless loop (Stryker's factor). */
const HIT_FACTOR = 100;
/** On a busy machine a few tests may time out without any mutant; these are left out. More are an error. */
const MAX_FAILED = 5;
/** For tests in one process, and for tests that start others, of which a batch may start one for each mutant at once. */
const PACES = {
  inside: { batch: 40, testMs: 10_000, stalledMs: 90_000 },
  outside: { batch: 4, testMs: 60_000, stalledMs: 300_000 },
} as const satisfies Record<string, Pace>;

/**
 * Runs the tests of a target against each mutant.
 * @returns for each detected mutant's id, how it was detected
 */
export async function tryMutants(
  mutants: readonly Mutant[],
  target: Target,
  workers: Workers,
): Promise<Map<string, Result>> {
  const testFiles: string[] = [];
  const groups = target.tests.map((group) => {
    // A file belongs to the first group that names it.
    const files = findTests(group.files).filter((file) => !testFiles.includes(file));
    testFiles.push(...files);
    return { ...group, files };
  });
  const dryRun = [{ id: NO_MUTANT, testFiles, reload: false, hitLimits: {} }];
  const [{ coverage, failed = [] } = {}] = await workers.runProcess(dryRun, PACES.outside);
  if (!coverage) throw new Error('The tests do not run.');
  for (const test of failed) console.info(`Left out, because it fails without any mutant: ${test}`);
  if (failed.length > MAX_FAILED) throw new Error('Too many tests fail without any mutant.');
  workers.leftOut = failed;
  const kills = new Map<string, Result>();
  for (const { files, startsProcesses } of groups) {
    const tasks = mutants
      .filter(({ id }) => !kills.has(id))
      .map((mutant) => taskOf(mutant, files, coverage, target.reloads ?? []))
      .filter((task) => task.testFiles.length > 0);
    console.info(`${tasks.length} mutants against ${files.length} test files`);
    await workers.tryTasks(tasks, startsProcesses ? PACES.outside : PACES.inside, (result) => {
      if (result.killedBy !== undefined) kills.set(result.id, result);
    });
    console.info(`${kills.size} of ${mutants.length} detected`);
  }
  return kills;
}

function findTests(patterns: readonly string[]): string[] {
  const files = patterns.flatMap((pattern) => globSync(pattern)).sort();
  if (files.length === 0) throw new Error(`No test file matches ${patterns.join(', ')}.`);
  return files;
}

function taskOf(
  { id, file }: Mutant,
  files: readonly string[],
  coverage: Coverage,
  reloads: readonly string[],
): Task {
  const reload = coverage.static[id] !== undefined || reloads.some((start) => file.startsWith(start));
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
