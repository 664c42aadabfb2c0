import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { listen } from '../local/listen.ts';

interface ShellOptions {
  readonly cwd: string;
  /** Variables to add. */
  readonly env?: NodeJS.ProcessEnv;
  /** Its standard input: what a person would type. */
  readonly input?: string;
}

/**
 * Runs commands in Bash, which stops at the first that fails.
 * @returns what they print on standard output
 * @throws Error with the end of what they print, if one fails
 */
export async function shell(commands: string, { cwd, env, input = '' }: ShellOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // NODE_OPTIONS would load the project's modules into other programs.
  const options = { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env }, maxBuffer: 2 ** 26 };
  // Node's pipes are sockets, from which bash concludes that it serves another machine; it would read ~/.bashrc, which may set PATH.
  const args = ['--norc', '-euxo', 'pipefail', '-c', commands];
  const child = execFile('bash', args, options, (error, stdout, stderr) =>
    error ? reject(new Error((stdout + stderr).trim().split('\n').slice(-15).join('\n'))) : resolve(stdout),
  );
  child.stdin?.on('error', () => undefined).end(input);
  return promise;
}

/** The file for log lines: with a pipe, figures would include the time of reading it. */
const LOG = openSync('/dev/null', 'w');

/**
 * Runs a program that writes a report of itself, as JSON, to descriptor 4. Descriptor 3 is a log that nobody reads.
 * @param options.env all variables
 * @throws Error with what it prints on standard error, if it fails or gives no report
 */
export async function reportOf<Report>(
  [program = '', ...args]: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv },
): Promise<Report> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe', LOG, 'pipe'] });
  const ended = once(child, 'exit');
  const streams = [child.stdio[4], child.stderr] as Readable[];
  const [json = '', errors = ''] = await Promise.all(streams.map((stream) => text(stream)));
  const [code] = await ended;
  if (code !== 0 || json === '') throw new Error(`${program} gave no report: ${errors}`);
  return JSON.parse(json);
}

/** @returns an address of the loopback interface, such as `http://127.0.0.1:8080`, on which nothing listens */
export async function freeAddress(): Promise<string> {
  const server = createServer();
  const address = await listen(server);
  server.close();
  await once(server, 'close');
  return address;
}

/** The longest that a server may take to start, in milliseconds. */
const START_MS = 900_000;

/**
 * Starts a server, and waits until it is ready. It ends with this process at the latest, and all that it has started.
 * @param isReady judges what it has printed, or asks the server
 * @returns what ends it
 * @throws Error with the end of its output, if it ends before, or takes too long
 */
export async function startServer(
  [program = '', ...args]: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  isReady: (output: string) => boolean | Promise<boolean>,
): Promise<() => Promise<void>> {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  process.on('exit', () => endGroup(child));
  const ended = once(child, 'exit');
  const failed = ended.then(() => Promise.reject(new Error(`${program} ended: ${output.slice(-4_000)}`)));
  failed.catch(() => undefined);
  const late = AbortSignal.timeout(START_MS);
  while (!(await Promise.race([isReady(output), failed]))) {
    if (late.aborted) throw new Error(`${program} did not start in time: ${output.slice(-4_000)}`);
    await wait(500);
  }
  return async () => {
    endGroup(child);
    await ended;
  };
}

/** Ends a process and all that it has started. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}
