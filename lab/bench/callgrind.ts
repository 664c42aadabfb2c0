import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, type RunOptions, run } from './drive.ts';
import type { Start } from './lambda-environment.ts';
import type { Kind } from './runtime/events.ts';

/** The flags that make counts repeatable and still let V8 accept the code cache of Node's own modules. */
const COLD_FLAGS = ['--random-seed=1', '--single-threaded-gc'];
/** Without what depends on the time: optimizing compilers, other threads, and garbage collection, by enough memory. */
const WARM_FLAGS = [
  '--random-seed=1',
  '--hash-seed=1',
  '--single-threaded',
  '--min-semi-space-size=51',
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
];
/** Requests of each kind: first those of a warm-up, then those that are counted. */
const WARM_REQUESTS = [20, 40] as const;
/** Under valgrind everything takes about fifty times longer, so timeouts are longer too. */
const STRETCH = 200;
const MAIN_THREAD = '01';

/** @returns how to install valgrind, or undefined if it is installed */
export function valgrindHint(): string | undefined {
  if (spawnSync('valgrind', ['--version']).status === 0) return undefined;
  return 'Instructions were not counted: valgrind is not installed (Debian: apt-get install valgrind)';
}

/** The instructions of a cold start. */
export interface ColdStart {
  /** Of the main thread until the function is loaded, when Lambda's INIT ends. */
  readonly init: number;
  /** Of the main thread for the first request. */
  readonly first: number;
  /** Both, and all other threads, which are V8's helpers and one of Node's that reads the root certificates at the first connection. */
  readonly sum: number;
}

/**
 * Counts one cold start.
 * @throws Error if valgrind gave no count
 */
export async function countColdStart(bench: Bench, file: string, start: Start): Promise<ColdStart> {
  const { parts, threads } = await count(bench, file, { start, flags: COLD_FLAGS });
  const [init = 0, first = 0] = parts;
  return { init, first, sum: init + first + threads };
}

/**
 * Counts warm requests in one process without V8's compilers: only for comparisons with the same program.
 * @returns instructions per request, in the order of the kinds
 * @throws Error if valgrind gave no count
 */
export async function countWarmRequests(bench: Bench, file: string, kinds: readonly Kind[]) {
  const steps = kinds.flatMap((kind) => WARM_REQUESTS.map((count) => ({ kind, count })));
  const { parts } = await count(bench, file, { flags: WARM_FLAGS, steps });
  // After INIT and the first request, two parts for each step: what precedes it, and its requests.
  return kinds.map((_, kind) => (parts[5 + 4 * kind] ?? Number.NaN) / WARM_REQUESTS[1]);
}

/**
 * Counts the instructions of a process between the marks of the stand-in for the runtime (`runtime/main.ts`).
 * @returns those of the main thread for each part, and those of all other threads
 * @throws Error if valgrind wrote fewer or more parts than there are marks
 */
async function count(bench: Bench, file: string, options: RunOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-callgrind-'));
  const out = ['--separate-threads=yes', `--callgrind-out-file=${join(folder, 'out')}`];
  const prefix = ['valgrind', '--tool=callgrind', ...out, '--dump-before=node::credentials::GetEGid*'];
  try {
    await run(bench, file, { ...options, prefix, stretch: STRETCH });
    const files = readdirSync(folder).map((name) => {
      const [, part = '', thread = ''] = /^out\.?(\d*)-(\d+)$/.exec(name) ?? [];
      return { part: Number(part), thread, total: totalOf(join(folder, name)) };
    });
    const ofMain = files.filter(({ part, thread }) => thread === MAIN_THREAD && part > 0);
    const parts = ofMain.sort((a, b) => a.part - b.part).map(({ total }) => total);
    const expected = 2 + 2 * (options.steps?.length ?? 0);
    if (parts.length !== expected)
      throw new Error(`valgrind counted ${parts.length} parts, not ${expected}.`);
    const others = files.filter(({ thread }) => thread !== MAIN_THREAD);
    return { parts, threads: others.reduce((sum, { total }) => sum + total, 0) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The count in a file of callgrind; a thread that executed nothing since the last mark has none. */
function totalOf(file: string): number {
  return Number(/^totals: (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
}
