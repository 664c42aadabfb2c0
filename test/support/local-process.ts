import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInRun, makeTemporaryRoot, withUsualLimits } from './temporary-root.ts';

const START = 'tools/start.ts';

/** A new empty folder; it goes with the run, or with the command that is a run of its own. */
export function temporaryFolder(): string {
  if (!isInRun()) makeTemporaryRoot();
  return mkdtempSync(path.join(tmpdir(), 'plant-store-'));
}

/** A folder as a data folder that has been used. `DataFolder` would change the umask of the test's own process. */
export function usedDataFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'store'));
  return folder;
}

/** What a process that ended by itself has printed. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs one of the project's commands to its end.
 * @param file its path from the project's folder, such as `tools/token.ts`
 * @param options.env variables to add; one that is undefined is taken away
 * @param options.input what it reads on standard input
 */
export async function run(
  file: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Ended> {
  const { child, ended } = start(file, args, options);
  child.stdin.on('error', () => undefined).end(options.input);
  return ended;
}

/** `npm start`, as a process of its own. */
export interface LocalProcess {
  readonly url: string;
  /** The token that it printed. */
  readonly token: string;
  /** Where its embedded store listens, for a store that is not in memory. */
  readonly endpoint: string;
  /** What its embedded store accepts. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** All that it has printed so far. */
  readonly output: () => string;
  /** Stops reading what it prints on standard output, as `head -1` does. */
  closeOutput(): void;
  /** Its exit code, or the name of the signal that has ended it. */
  readonly exit: Promise<number | string>;
  /** @returns the same as `exit` */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

/**
 * Starts the local service on a free port and waits until it says that it is ready.
 * @param data its data folder
 * @param options.args more options of `npm start`
 * @param options.env variables to add
 * @param options.hasUsualLimits for a test that waits for one of the service's time limits: they are not stretched
 */
export async function startLocalProcess(
  data: string,
  options: { args?: readonly string[]; env?: NodeJS.ProcessEnv; hasUsualLimits?: boolean } = {},
): Promise<LocalProcess> {
  const { args = [], hasUsualLimits = false } = options;
  const limits = hasUsualLimits ? { NODE_OPTIONS: withUsualLimits(process.env.NODE_OPTIONS) } : {};
  const { child, output, ended } = start(START, ['--port', '0', '--data', data, ...args], {
    env: { ...limits, ...options.env },
  });
  child.stdin.end();
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', () => output().includes('Stop it with') && resolve());
  });
  await Promise.race([ready, ended.then(() => Promise.reject(new Error(output())))]);
  const exit = ended.then(() => child.exitCode ?? String(child.signalCode));
  return {
    url: /http:\/\/localhost:\d+/.exec(output())?.[0] ?? '',
    token: /plants_[0-9A-Za-z]+/.exec(output())?.[0] ?? '',
    endpoint: readFileSync(path.join(data, 'endpoint'), 'utf8'),
    credentials: storeCredentials(data),
    output,
    closeOutput: () => child.stdout.destroy(),
    exit,
    end: (signal) => {
      child.kill(signal);
      return exit;
    },
  };
}

/** The credentials for the embedded store of the service that has a data folder open. */
function storeCredentials(data: string): LocalProcess['credentials'] {
  return { accessKeyId: readFileSync(path.join(data, 'access-key-id'), 'utf8'), secretAccessKey: 'any' };
}

/** Runs the local service with options that make it end by itself. */
export async function runToEnd(args: string[]): Promise<{ code: number; output: string }> {
  const { code, out, err } = await run(START, args);
  return { code, output: out + err };
}

/** Starts one of the project's commands; a store that the environment names is not handed on. */
function start(file: string, args: readonly string[], { env = {} }: { env?: NodeJS.ProcessEnv }) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../../${file}`, import.meta.url)), ...args], {
    env: {
      ...process.env,
      AWS_ENDPOINT_URL_DYNAMODB: undefined,
      // A run starts about 150 processes; compiling is half of what each of them would do.
      NODE_COMPILE_CACHE: isInRun() ? path.join(tmpdir(), 'compile-cache') : undefined,
      ...env,
    },
  });
  let out = '';
  let err = '';
  let all = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    all += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    all += text;
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code ?? -1, out, err }));
  return { child, output: () => all, ended };
}
