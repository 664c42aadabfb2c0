import { spawnSync } from 'node:child_process';
import { type Bench, run } from './drive.ts';

/**
 * Makes runs repeatable: one thread, garbage collection and compilation at fixed points, fixed seeds. Counts vary by a
 * few per cent without these flags, and by about 0.1 % with them.
 */
const REPEATABLE = ['--predictable', '--single-threaded', '--hash-seed=1', '--random-seed=1'];

/** Under valgrind everything takes about fifty times longer, so timeouts are longer too. */
const STRETCH = 200;

/** @returns how to install valgrind, or undefined if it is installed */
export function valgrindHint(): string | undefined {
  if (spawnSync('valgrind', ['--version']).status === 0) return undefined;
  return 'Instructions were not counted: valgrind is not installed (Debian: apt-get install valgrind)';
}

/** Counts the instructions of a whole process, from its start to its first answer. @throws Error without a count */
export async function countInstructions(bench: Bench, file: string): Promise<number> {
  const prefix = ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null'];
  const { errors } = await run(bench, file, { prefix, flags: REPEATABLE, stretch: STRETCH });
  const collected = /Collected : (\d+)/.exec(errors)?.[1];
  if (collected === undefined) throw new Error(`valgrind gave no count: ${errors}`);
  return Number(collected);
}
