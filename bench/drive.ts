import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { lambdaEnvironment, lambdaFlags } from './environment.ts';
import type { Step, StepReport } from './runtime/main.ts';

/** How often the store was called since it was last asked; `unsigned` only while it checks signatures. */
export interface Calls {
  readonly GetItem: number;
  readonly PutItem: number;
  readonly unsigned: number;
}

/** What one process reported. */
export interface Run {
  /** Milliseconds from spawn to the report; the first answer's time when no steps were planned. */
  readonly wall: number;
  /** CPU time of the whole process up to its first answer, in microseconds. */
  readonly cpu: number;
  readonly first: { statusCode: number; body: string };
  /** The built-in modules loaded by the first answer, as Node lists them. */
  readonly modules: string[];
  readonly firstLogBytes: number;
  readonly steps: StepReport[];
  /** Bytes written to standard output, where some log past the runtime's console. */
  readonly outputBytes: number;
  /** What the process, or valgrind around it, wrote to standard error. */
  readonly errors: string;
}

/** Where the stub is and what the processes need. */
export interface Bench {
  readonly runtime: string;
  readonly certificate: string;
  readonly store: ChildProcess;
  readonly port: number;
}

/** Where subjects' log lines go; the platform's end of the pipe is in nobody's figures. */
const LOG = openSync('/dev/null', 'w');

/** Starts the stub in a process of its own. */
export async function startStore(
  key: string,
  certificate: string,
): Promise<{ store: ChildProcess; port: number }> {
  const store = fork(join(import.meta.dirname, 'store.ts'), [key, certificate]);
  const [{ port }] = (await once(store, 'message')) as [{ port: number }];
  return { store, port };
}

/** Asks the stub for its counts, which sets them back. @param check whether it proves signatures from now on */
export async function takeCalls(bench: Bench, check = false): Promise<Calls> {
  bench.store.send({ check });
  const [calls] = (await once(bench.store, 'message')) as [Calls];
  return calls;
}

/**
 * Runs a bundle in a fresh process: one accepted request, then the steps.
 * @param options.prefix a program and its arguments to run Node under, such as valgrind
 * @param options.flags more flags for Node
 * @param options.stretch by how much timers are slowed down
 * @throws Error when the first answer is not 200, or the process fails
 */
export async function run(
  bench: Bench,
  file: string,
  options: {
    steps?: readonly Step[];
    prefix?: readonly string[];
    flags?: readonly string[];
    stretch?: number;
  } = {},
): Promise<Run> {
  const { steps = [], prefix = [], flags = [], stretch = 1 } = options;
  const node = [process.execPath, ...lambdaFlags(), ...flags];
  const plan = [bench.runtime, file, String(bench.port), String(stretch), JSON.stringify(steps)];
  const [command = '', ...parameters] = [...prefix, ...node, ...plan];
  const startedAt = performance.now();
  const child = spawn(command, parameters, {
    env: lambdaEnvironment(bench.certificate),
    stdio: ['ignore', 'pipe', 'pipe', LOG, 'pipe'],
  }) as ChildProcessWithoutNullStreams;
  let wall = 0;
  const reporting = child.stdio[4] as Readable;
  reporting.once('data', () => {
    wall = performance.now() - startedAt;
  });
  const streams = [reporting, child.stdout, child.stderr].map((stream) => text(stream));
  const [json = '', output = '', errors = ''] = await Promise.all(streams);
  if (json === '') throw new Error(`${file} gave no report: ${errors}`);
  const report = JSON.parse(json);
  if (report.first.statusCode !== 200) throw new Error(`${file}: ${JSON.stringify(report.first)} ${errors}`);
  return { ...report, wall, errors, outputBytes: Buffer.byteLength(output) };
}
