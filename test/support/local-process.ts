import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { sendHttp } from '../../contract/send-http.ts';
import { storedItem } from './stored-item.ts';
import { temporaryFolder } from './temporary-root.ts';

/** A folder that looks like a used data folder. `DataFolder` would change the umask of the test's own process. */
export function usedDataFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'store'));
  writeFileSync(path.join(folder, 'store', 'LOCK'), '');
  return folder;
}

/**
 * Starts the local service on a free port and waits until it is ready.
 * @param data its data folder
 * @param options.args more options of `npm start`
 * @param options.env variables to add
 * @param options.limit see {@link spawnCommand}
 */
export async function startLocalProcess(
  data = temporaryFolder(),
  { args = [], ...options }: { args?: readonly string[]; env?: NodeJS.ProcessEnv; limit?: string } = {},
) {
  const words = ['--port', '0', '--data', data, ...args];
  const { child, output, ended } = spawnCommand('start', words, options);
  const ready = new Promise<void>((resolve) => {
    // It writes its address before it prints anything.
    child.stdout.on('data', () => existsSync(path.join(data, 'url')) && resolve());
  });
  await Promise.race([ready, ended.then(() => Promise.reject(new Error(output())))]);
  const read = (file: string) => readFileSync(path.join(data, file), 'utf8');
  const [url, token] = [read('url'), read('token')];
  const endpoint = read('endpoint');
  const credentials = { accessKeyId: read('access-key-id'), secretAccessKey: 'any' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  const exit = ended.then((): number | string => {
    client.destroy();
    return child.exitCode ?? String(child.signalCode);
  });
  return {
    pid: child.pid,
    url,
    /** A valid access token. */
    token,
    /** The address of its embedded store. */
    endpoint,
    /** The credentials that its embedded store accepts. */
    credentials,
    /** A client for its embedded store. */
    client,
    /** Sends `POST /plants` with its token. */
    post: (body: string | Buffer, headers: readonly (readonly [name: string, value: string])[] = []) =>
      sendHttp(url, { headers: [['authorization', `Bearer ${token}`], ...headers], body }),
    /** Reads a plant from its embedded store. */
    item: (id: string) => storedItem(client, id),
    /** All that it has printed so far. */
    output,
    /** Stops reading its standard output, as `head -1` does. */
    closeOutput: () => child.stdout.destroy(),
    /** Its exit code, or the name of the signal that ended it. */
    exit,
    /** @returns the same as `exit` */
    end: (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal);
      return exit;
    },
  };
}

interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string;
  readonly limit?: string;
  readonly into?: string;
}

const STAGES_ANYWHERE = path.join(import.meta.dirname, 'stages-anywhere.ts');

/** The exit code of a process, and what it printed. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The module of a command: `start` is in `local/`, the others are in `commands/`. */
export function commandFile(name: string): string {
  return path.join(import.meta.dirname, '../..', name === 'start' ? 'local' : 'commands', `${name}.ts`);
}

/**
 * Starts one of the project's commands. A store that the environment names is not passed on, and no token.
 * @param name the name of its module
 * @param options.env variables to add; an undefined one is removed
 * @param options.cwd the folder in which it runs
 * @param options.input its standard input
 * @param options.limit the arguments of the shell's `ulimit`, which is how a disk becomes full for one process
 * @param options.into with a limit: a file for its standard output
 */
export function spawnCommand(
  name: string,
  args: readonly string[],
  { env, cwd, input, limit, into }: CommandOptions = {},
) {
  const command = [process.execPath, '--import', STAGES_ANYWHERE, commandFile(name), ...args];
  // The signal would end the process before it sees the error.
  const script = `trap '' XFSZ; ulimit ${limit}; exec "$@" ${into ? '>"$0"' : ''}`;
  const limited = limit === undefined ? command : ['sh', '-c', script, into ?? 'sh', ...command];
  const [program = '', ...words] = limited;
  const child = spawn(program, words, {
    // A service ends with the run that started it, even if that was killed: its channel is closed then.
    stdio: ['pipe', 'pipe', 'pipe', ...(name === 'start' ? (['ipc'] as const) : [])],
    cwd,
    // A command that hangs ends before the test does, which then shows what it printed.
    timeout: name === 'start' ? undefined : 280_000,
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      AWS_ENDPOINT_URL_DYNAMODB: undefined,
      PLANT_STORE_TOKEN: '',
      ...env,
    },
  }) as ChildProcessWithoutNullStreams;
  child.stdin.on('error', () => undefined).end(input);
  const printed = { out: '', err: '', all: '' };
  for (const [stream, name] of [
    [child.stdout, 'out'],
    [child.stderr, 'err'],
  ] as const) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      printed.all += text;
    });
  }
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code ?? -1, ...printed }));
  return { child, output: () => printed.all, ended };
}
