import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { type Bench, run, type Start } from './drive.ts';

/** The flags that make counts repeatable and still let V8 accept the code cache of Node's own modules. */
const FLAGS = ['--random-seed=1', '--single-threaded-gc'];
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
 * Counts one cold start, between the marks of the stand-in for the runtime (`runtime/main.ts`).
 * @throws Error if valgrind wrote fewer or more parts than there are marks
 */
export async function countColdStart(bench: Bench, file: string, start: Start): Promise<ColdStart> {
  const folder = temporaryFolder();
  const out = ['--separate-threads=yes', `--callgrind-out-file=${join(folder, 'out')}`];
  const prefix = ['valgrind', '--tool=callgrind', ...out, '--dump-before=node::credentials::GetEGid*'];
  await run(bench, file, { start, flags: FLAGS, prefix, stretch: STRETCH });
  const files = readdirSync(folder).map((name) => {
    const [, part = '', thread = ''] = /^out\.?(\d*)-(\d+)$/.exec(name) ?? [];
    return { part: Number(part), thread, total: totalOf(join(folder, name)) };
  });
  const ofMain = files.filter(({ part, thread }) => thread === MAIN_THREAD && part > 0);
  const [init, first, ...more] = ofMain.sort((a, b) => a.part - b.part).map(({ total }) => total);
  if (init === undefined || first === undefined || more.length > 0)
    throw new Error(`valgrind counted ${ofMain.length} parts, not 2.`);
  const others = files.filter(({ thread }) => thread !== MAIN_THREAD);
  return { init, first, sum: others.reduce((sum, { total }) => sum + total, init + first) };
}

/** The count in a file of callgrind; a thread that executed nothing since the last mark has none. */
function totalOf(file: string): number {
  return Number(/^totals: (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
}
