import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { listen } from '../test/support/listen.ts';

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
