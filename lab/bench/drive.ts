import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { lambdaEnvironment, lambdaFlags, START_SCRIPT, type Start } from './environment.ts';
import type { Report, Step } from './runtime/main.ts';

/** Calls to the store since the last query. `unsigned`: those with a wrong signature, while the stub checks them. */
export interface Calls {
  readonly GetItem: number;
  readonly PutItem: number;
  readonly unsigned: number;
}

/** The report of one process, and measurements from outside. */
export interface Run extends Report {
  /** Milliseconds from the process's start to its report; to its first response if there are no steps. */
  readonly wall: number;
  /** Bytes written to standard output, for subjects that do not log through the runtime's console. */
  readonly outputBytes: number;
  /** Standard error of the process, or of valgrind. */
  readonly errors: string;
}

/** The bundled runtime, the store's certificate, and the store. */
export interface Bench {
  readonly runtime: string;
  readonly certificate: string;
  readonly store: ChildProcess;
  readonly port: number;
}

/** How to run a process: the requests after the first one, and the program to run Node under. */
export interface RunOptions {
  /** Through the script if absent. */
  readonly start?: Start;
  readonly steps?: readonly Step[];
  /** A program with its arguments, such as valgrind. */
  readonly prefix?: readonly string[];
  /** More flags for Node. */
  readonly flags?: readonly string[];
  /** The factor for the duration of timers. */
  readonly stretch?: number;
}

/** The file for log lines: with a pipe, figures would include the time of reading it. */
const LOG = openSync('/dev/null', 'w');

/** Starts the stub in a separate process. */
export async function startStore(key: string, certificate: string) {
  const store = fork(join(import.meta.dirname, 'store.ts'), [key, certificate]);
  const [{ port }] = (await once(store, 'message')) as [{ port: number }];
  return { store, port };
}

/** Gets and resets the stub's counts. @param check whether the stub checks signatures from now on */
export async function takeCalls({ store }: Bench, check: boolean): Promise<Calls> {
  store.send({ check });
  const [calls] = (await once(store, 'message')) as [Calls];
  return calls;
}

/**
 * Runs a bundle in a new process: one accepted request, then the steps.
 * @throws Error if the first response is not 200, or the process fails
 */
export async function run(bench: Bench, file: string, options: RunOptions = {}): Promise<Run> {
  const { start = 'script', steps = [], prefix = [], flags = [], stretch = 1 } = options;
  // AWS's bootstrap starts the script with the path of Node and its arguments.
  const node = [...prefix, process.execPath, ...lambdaFlags(), ...flags];
  const started = start === 'script' ? [START_SCRIPT, ...node] : node;
  const { runtime, port, certificate } = bench;
  const plan = [runtime, file, String(port), certificate, String(stretch), JSON.stringify(steps)];
  const [command = '', ...parameters] = [...started, ...plan];
  const startedAt = performance.now();
  const child = spawn(command, parameters, {
    env: lambdaEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe', LOG, 'pipe'],
  });
  const streams = [child.stdio[4], child.stdout, child.stderr] as Readable[];
  let wall = 0;
  streams[0]?.once('data', () => {
    wall = performance.now() - startedAt;
  });
  const [json = '', output = '', errors = ''] = await Promise.all(streams.map((stream) => text(stream)));
  if (json === '') throw new Error(`${file} gave no report: ${errors}`);
  const report = JSON.parse(json) as Report;
  if (report.first.statusCode !== 200) throw new Error(`${file}: ${JSON.stringify(report.first)} ${errors}`);
  return { ...report, wall, errors, outputBytes: Buffer.byteLength(output) };
}
