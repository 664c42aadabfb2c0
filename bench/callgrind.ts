import { spawnSync } from 'node:child_process';
import { type Bench, run } from './drive.ts';

/**
 * What makes one run like the next: one thread, collections and tier-ups at fixed points, fixed seeds. Without them the
 * count moves by some per cent, with them by about one in a thousand.
 */
const REPEATABLE = ['--predictable', '--single-threaded', '--hash-seed=1', '--random-seed=1'];

/** Under valgrind everything takes some fifty times longer; time-outs wait accordingly. */
const STRETCH = 200;

/** Whether valgrind is there; if not, how to get it. */
export function valgrindHint(): string | undefined {
  if (spawnSync('valgrind', ['--version']).status === 0) return undefined;
  return 'No valgrind, so no instruction counts; on Debian: apt-get install valgrind';
}

/** Counts the instructions of a whole process, from its start to its first answer. */
export async function countInstructions(bench: Bench, file: string, flags: string[] = []): Promise<number> {
  const prefix = ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null'];
  const { errors } = await run(bench, file, { prefix, flags: [...REPEATABLE, ...flags], stretch: STRETCH });
  const collected = /Collected : (\d+)/.exec(errors)?.[1];
  if (collected === undefined) throw new Error(`valgrind gave no count: ${errors}`);
  return Number(collected);
}
