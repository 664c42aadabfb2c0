import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';

interface ShellOptions {
  /** Its standard input: what a person would type. */
  readonly input?: string;
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs commands in Bash, which stops at the first that fails.
 * @returns what they printed on standard output
 * @throws Error with the end of what they printed, if one fails
 */
export async function shell(commands: string, { input = '', cwd, env }: ShellOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // NODE_OPTIONS would load the project's modules into other programs.
  const options = { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env }, maxBuffer: 2 ** 26 };
  const child = execFile('bash', ['-euo', 'pipefail', '-c', commands], options, (error, stdout, stderr) =>
    error ? reject(new Error((stdout + stderr).trim().split('\n').slice(-15).join('\n'))) : resolve(stdout),
  );
  child.stdin?.on('error', () => undefined).end(input);
  return promise;
}

/** The longest that a server may take to start, in milliseconds. */
const START_MS = 900_000;

/**
 * Starts a server, and waits until an address responds with 200. It ends with this process at the latest.
 * @param address that of its metadata
 * @returns what ends it
 * @throws Error with the end of its output, if it ends before, or takes too long
 */
export async function startServer(
  [program = '', ...args]: readonly string[],
  address: string,
  { cwd, env }: ShellOptions,
): Promise<() => Promise<void>> {
  const child = spawn(program, args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-4_000);
    });
  const end = () => endGroup(child);
  process.on('exit', end);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${program} ended: ${output}`)));
  failed.catch(() => undefined);
  const late = AbortSignal.timeout(START_MS);
  while (!(await Promise.race([responds(address), failed]))) {
    if (late.aborted) throw new Error(`${program} did not start in time: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return async () => {
    const ended = once(child, 'exit');
    end();
    await ended;
  };
}

/** Ends a process and all that it has started. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}

async function responds(address: string): Promise<boolean> {
  return fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );
}
