import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { PlainError } from '../../terminal/plain-error.ts';

const START = fileURLToPath(new URL('../start.ts', import.meta.url));

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
