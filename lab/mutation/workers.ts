import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { here } from './places.ts';
import { NO_MUTANT, type Plan, type ProcessCoverage, type Result, type Task, UNHANDLED } from './plan.ts';

/** How the tasks of a run are tried. */
export interface Pace {
  /** How many mutants one process tests before a new one is started. */
  readonly batch: number;
  /** The time limit of a test, in milliseconds. */
  readonly testMs: number;
  /** In milliseconds; a process in which no test begins or ends for this long counts as hanging. */
  readonly stalledMs: number;
}

const VITEST = path.resolve('node_modules/vitest/vitest.mjs');

/** Vitest processes, several at a time. They are killed when this process ends. */
export class Workers {
  /** Tests that fail without any mutant. */
  leftOut: readonly string[] = [];
  /** The names of tests that are not run contain this. */
  skips: string | undefined;
  readonly #code: Plan['code'];
  readonly #count: number;
  /** The running process groups. */
  readonly #running = new Set<number>();
  /** The tasks whose process was killed because it hung. */
  readonly #hung = new WeakSet<readonly Task[]>();

  /**
   * @param code the code of the target's files with all mutants
   * @param count how many processes run at a time
   */
  constructor(code: Plan['code'], count: number) {
    this.#code = code;
    this.#count = count;
    process.on('exit', () => {
      for (const group of this.#running) killGroup(group);
    });
  }

  /**
   * Runs the tasks in several processes. A mutant that crashes or hangs its process counts as killed. A batch without any
   * result is split in halves and run again, until the task that causes it is found.
   */
  async tryTasks(tasks: readonly Task[], pace: Pace, onResult: (result: Result) => void): Promise<void> {
    const waiting = [...tasks];
    let done = 0;
    const settle = (results: readonly Result[]) => {
      results.forEach(onResult);
      done += results.length;
      console.info(`${done} of ${tasks.length}`);
    };
    const work = async () => {
      for (let batch = nextBatch(waiting, pace); batch.length > 0; batch = nextBatch(waiting, pace))
        await this.#tryBatch(batch, pace, settle);
    };
    await Promise.all(Array.from({ length: this.#count }, work));
  }

  async #tryBatch(batch: readonly Task[], pace: Pace, settle: (results: readonly Result[]) => void) {
    const results = await this.runProcess(batch, pace);
    const [stuck, ...rest] = batch.slice(results.length);
    if (results.length === 0 && rest.length > 0) {
      const half = Math.ceil(batch.length / 2);
      await this.#tryBatch(batch.slice(0, half), pace, settle);
      await this.#tryBatch(batch.slice(half), pace, settle);
      return;
    }
    // An unhandled error may come from the mutant before.
    const isDoubtful = ({ killedBy }: Result) => killedBy === UNHANDLED && batch.length > 1;
    const certain = results.filter((result) => !isDoubtful(result));
    const isTimeout = this.#hung.has(batch);
    const killedBy = isTimeout ? 'the tests hang' : 'the tests do not load';
    settle(stuck ? [...certain, { id: stuck.id, killedBy, isTimeout }] : certain);
    const doubtful = results.filter(isDoubtful).map(({ id }) => id);
    for (const task of batch.filter(({ id }) => doubtful.includes(id)))
      await this.#tryBatch([task], pace, settle);
    if (rest.length > 0) await this.#tryBatch(rest, pace, settle);
  }

  /** Runs one Vitest process. @returns its results, in the order of the tasks */
  async runProcess(tasks: readonly Task[], { testMs, stalledMs }: Pace): Promise<Result[]> {
    const folder = temporaryFolder();
    const files = Object.entries(this.#code).filter(([file]) => [undefined, file].includes(tasks[0]?.file));
    const [plan, results, processes, signs] = ['plan', 'results', 'processes', 'signs'].map((name) => {
      const file = path.join(folder, name);
      writeFileSync(file, '');
      return file;
    }) as [string, string, string, string];
    const work = { code: Object.fromEntries(files), leftOut: this.leftOut, skips: this.skips, tasks, testMs };
    const content: Plan = { root: process.cwd(), ...work, results, processes, signs };
    writeFileSync(plan, JSON.stringify(content));
    const { output, isHung } = await this.#runVitest(plan, stalledMs, () => statSync(signs).size);
    if (isHung) this.#hung.add(tasks);
    const found = linesOf<Result>(results);
    for (const each of linesOf<ProcessCoverage>(processes)) addTo(found[0], each);
    if (found.length === 0 && tasks[0]?.id === NO_MUTANT) console.error(output);
    return found;
  }

  /** @param progress grows as long as the process does not hang */
  async #runVitest(plan: string, stalledMs: number, progress: () => number) {
    const child = spawn(process.execPath, [VITEST, 'run', '--config', here('vitest.config.ts')], {
      env: { ...process.env, MUTATION_PLAN: plan },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const group = child.pid;
    if (group === undefined) throw new Error('Vitest did not start.');
    this.#running.add(group);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    const ended = once(child, 'close');
    for (let count = -1; count < progress(); ) {
      count = progress();
      await Promise.race([ended, pause(stalledMs, undefined, { ref: false })]);
    }
    const isHung = child.exitCode === null && child.signalCode === null;
    if (isHung) killGroup(group);
    await ended;
    // A process that a test started may be in an endless loop.
    killGroup(group);
    this.#running.delete(group);
    return { output, isHung };
  }
}

/**
 * Takes some tasks for the same file, so that the other files need no instrumentation. A process either loads our modules
 * again for each of them or never, because a module that was loaded with a mutant keeps what that mutant changed.
 */
function nextBatch(waiting: Task[], { batch: most }: Pace): Task[] {
  const [first] = waiting;
  const isLike = ({ file, reload }: Task) => file === first?.file && reload === first?.reload;
  const batch = waiting.filter(isLike).slice(0, most);
  waiting.splice(0, waiting.length, ...waiting.filter((task) => !batch.includes(task)));
  return batch;
}

function linesOf<Line>(file: string): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line): Line => JSON.parse(line));
}

/** Adds what a started process has run to the result of the run without a mutant. */
function addTo(result: Result | undefined, { test, hits }: ProcessCoverage): void {
  if (!result?.coverage) return;
  result.coverage.perTest[test] ??= {};
  const own = result.coverage.perTest[test];
  for (const [id, count] of Object.entries(hits)) own[id] = (own[id] ?? 0) + count;
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Every process of the group has ended.
  }
}
