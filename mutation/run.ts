/** Mutation test of the function: `npm run mutation -- [--only PARTS,OF,PATHS] [--workers N]`. */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeMutants } from './mutants.ts';
import { type Coverage, type Mutant, NO_MUTANT, type Plan, type Result, SET_UP, type Task } from './plan.ts';

/** Fast tests with expectations written by hand. Fuzzing would kill more mutants, but at random. */
const TESTS = ['test/lambda/**/*.test.ts', 'test/contract/{handler,openapi}.test.ts'];
/** Tests of one module; the quick ones are tried first. */
const UNITS = /^test\/lambda\/(?:\w+\/|limits|environment)/;
/** In milliseconds. Slower tests run only against mutants that survived all others. */
const QUICK = 250;
/** How many mutants one process tests before a new one is started. */
const BATCH = 40;
/** In milliseconds; a process that finishes no mutant for this long counts as hanging. */
const STALLED = 300_000;
/** How many times more iterations than without a mutant a loop may make (Stryker's own factor). */
const HIT_FACTOR = 100;
/** On a busy machine a few tests may time out without any mutant; these are left out. More are an error. */
const MAX_FAILED = 5;
/** The minimum share of killed mutants, in per cent. */
const THRESHOLD = 95;

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, workers: { type: 'string', default: '2' } },
});

const folder = mkdtempSync(path.join(tmpdir(), 'plant-store-mutation-'));
/** The running process groups: each is ended before this process exits. */
const running = new Set<number>();
process.on('exit', () => {
  for (const group of running) process.kill(-group, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
const testFiles = TESTS.flatMap((pattern) => globSync(pattern)).sort();
const { mutants, code } = await makeMutants(globSync('lambda/**/*.ts').sort());
const chosen = mutants.filter(({ file }) => options.only.split(',').some((part) => file.includes(part)));

let processes = 0;
const killedBy = await tryAll();
const survivors = chosen.filter(({ id }) => !killedBy.has(id));
report();
if (survivors.length / chosen.length > 1 - THRESHOLD / 100) process.exitCode = 1;

async function tryAll(): Promise<Map<string, string>> {
  const [dryRun] = await runProcess([{ id: NO_MUTANT, tests: [], reload: false, hitLimit: 0 }]);
  const { coverage, durations, failed = [] } = dryRun ?? {};
  if (!coverage || !durations) throw new Error('The tests do not run.');
  for (const test of failed) console.info(`Left out, because it fails without any mutant: ${test}`);
  if (failed.length > MAX_FAILED) throw new Error('Too many tests fail without any mutant.');
  console.info(`${chosen.length} mutants, ${Object.keys(durations).length} tests`);
  const killed = new Map<string, string>();
  // A loop that a mutant makes endless ends at its limit of hits: soon in a quick test, after minutes in a slow one.
  const passes: [string, (test: string, ms: number) => boolean][] = [
    ['quick tests of modules', (test, ms) => UNITS.test(test) && ms < QUICK],
    ['other quick tests', (test, ms) => !UNITS.test(test) && ms < QUICK],
    ['slow tests', (_test, ms) => ms >= QUICK],
  ];
  for (const [name, isIn] of passes) {
    const tests = Object.keys(durations).filter((test) => isIn(test, durations[test] ?? 0));
    const tasks = chosen
      .filter(({ id }) => !killed.has(id))
      .map((mutant) => taskOf(mutant, tests, coverage))
      .filter((task) => task.tests.length > 0);
    console.info(`${tasks.length} mutants against the ${name}`);
    await inBatches(tasks, (result) => {
      if (result.killedBy !== undefined) killed.set(result.id, result.killedBy);
    });
    console.info(`${killed.size} of ${chosen.length} noticed`);
  }
  return killed;
}

function taskOf({ id, file }: Mutant, tests: readonly string[], coverage: Coverage): Task {
  // Only its own test loads the entry point.
  const reload = coverage.static[id] !== undefined || file === 'lambda/handler.ts';
  const byAll = reload || coverage.perTest[SET_UP]?.[id] !== undefined;
  const hits = tests.reduce((sum, test) => sum + (coverage.perTest[test]?.[id] ?? 0), 0);
  return {
    id,
    file,
    reload,
    tests: byAll ? tests : tests.filter((test) => coverage.perTest[test]?.[id] !== undefined),
    hitLimit: HIT_FACTOR * (hits + (coverage.static[id] ?? 0)),
  };
}

/**
 * Runs the tasks in several processes. A mutant that crashes or hangs its process counts as killed. A batch without any
 * result is split in halves and run again, until the task that causes it is found.
 */
async function inBatches(tasks: readonly Task[], onResult: (result: Result) => void): Promise<void> {
  const waiting = [...tasks];
  let done = 0;
  const settle = (results: readonly Result[]) => {
    results.forEach(onResult);
    done += results.length;
    console.info(`${done} of ${tasks.length}`);
  };
  const tryBatch = async (batch: readonly Task[]): Promise<void> => {
    const results = await runProcess(batch);
    const [stuck, ...rest] = batch.slice(results.length);
    if (results.length === 0 && rest.length > 0) {
      const half = Math.ceil(batch.length / 2);
      await tryBatch(batch.slice(0, half));
      await tryBatch(batch.slice(half));
      return;
    }
    settle(stuck ? [...results, { id: stuck.id, killedBy: 'the tests do not load, or hang' }] : results);
    if (rest.length > 0) await tryBatch(rest);
  };
  const work = async () => {
    for (let batch = nextBatch(waiting); batch.length > 0; batch = nextBatch(waiting)) await tryBatch(batch);
  };
  await Promise.all(Array.from({ length: Number(options.workers) }, work));
}

/** Takes some tasks for the same file, so that the other files need no instrumentation. */
function nextBatch(waiting: Task[]): Task[] {
  const other = waiting.findIndex(({ file }) => file !== waiting[0]?.file);
  return waiting.splice(0, Math.min(BATCH, other === -1 ? BATCH : other));
}

/** Runs one Vitest process. @returns its results, in the order of the tasks */
async function runProcess(tasks: readonly Task[]): Promise<Result[]> {
  const name = path.join(folder, String(++processes));
  const files = Object.entries(code).filter(([file]) => [undefined, file].includes(tasks[0]?.file));
  const plan: Plan = {
    code: Object.fromEntries(files),
    testFiles,
    tasks,
    results: `${name}.results`,
  };
  writeFileSync(`${name}.plan`, JSON.stringify(plan));
  const vitest = path.resolve('node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'mutation/vitest.config.ts'], {
    env: { ...process.env, MUTATION_PLAN: `${name}.plan` },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const group = child.pid;
  if (group === undefined) throw new Error('Vitest does not start.');
  running.add(group);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const results = () =>
    existsSync(plan.results)
      ? readFileSync(plan.results, 'utf8')
          .trim()
          .split('\n')
          .map((line): Result => JSON.parse(line))
      : [];
  for (let count = -1; count < results().length; ) {
    count = results().length;
    await Promise.race([ended, pause(STALLED)]);
  }
  if (child.exitCode === null && child.signalCode === null) process.kill(-group, 'SIGKILL');
  await ended;
  running.delete(group);
  if (process.env.MUTATION_DEBUG || (results().length === 0 && tasks[0]?.id === NO_MUTANT))
    console.error(output);
  return results();
}

function report(): void {
  console.info('\nNot noticed:');
  for (const { id } of survivors) console.info(`\n${nameOf(id)}`);
  console.info();
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  for (const file of new Set(chosen.map((mutant) => mutant.file))) {
    const all = chosen.filter((mutant) => mutant.file === file).length;
    const alive = survivors.filter((mutant) => mutant.file === file).length;
    console.info(
      `${file.padEnd(42)} ${String(all - alive).padStart(4)} of ${String(all).padStart(4)}  ${percent(all - alive, all).padStart(7)}`,
    );
  }
  const all = chosen.length;
  console.info(
    `${'together'.padEnd(42)} ${all - survivors.length} of ${all}  ${percent(all - survivors.length, all)}`,
  );
  const results = chosen.map((mutant) => ({ ...mutant, killedBy: killedBy.get(mutant.id) }));
  writeFileSync('mutation/report.json', `${JSON.stringify(results, undefined, 2)}\n`);
}

function nameOf(id: string): string {
  const { file, line, kind, original, replacement } = chosen.find((each) => each.id === id) as Mutant;
  return `${file}:${line} ${kind}\n  - ${shown(original)}\n  + ${shown(replacement)}`;
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 117)}…` : line;
}
