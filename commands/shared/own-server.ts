import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PlainError } from '../../cli/plain-error.ts';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { DataFolder } from '../../local/data-folder.ts';
import { isLocked } from '../../local/dynalite-store.ts';

const START = fileURLToPath(new URL('../../local/start.ts', import.meta.url));

/**
 * Starts the local service for a command's own use, on a free port, in a process that ends with this one, even after
 * `kill -9`: the service notices the end of the channel.
 * @param data its data folder; in memory without it
 * @throws PlainError if it ends before it is ready; the reason is on standard error
 */
export async function startOwnServer(
  data?: string,
): Promise<{ url: string; token: string; process: ChildProcess }> {
  const { [ENVIRONMENT.endpoint]: _, ...env } = process.env;
  const where = data === undefined ? ['--memory'] : ['--data', data];
  const child = fork(START, ['--port', '0', ...where], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new PlainError('The local service did not start.');
  });
  const [{ url, token }] = await Promise.race([once(child, 'message'), ended]);
  return { url, token, process: child };
}

/**
 * Finds the service that has a data folder open, by the address and the token in the folder. Whoever opens a folder removes the
 * address of the one before, so that an address belongs to the process that has the lock.
 * @returns undefined if none is running
 * @throws PlainError if the folder cannot be read
 */
export async function runningService(data: string): Promise<{ url: string; token: string } | undefined> {
  if (!DataFolder.exists(data)) return undefined;
  const folder = new DataFolder(data);
  const [url = '', token] = [folder.read('url'), folder.read('token')];
  return token && url && (await isLocked(folder.storePath)) ? { url, token } : undefined;
}
