import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { PlainError } from '../local/plain-error.ts';

const START = fileURLToPath(new URL('./start.ts', import.meta.url));

/** A local service that a command has started for its own use. */
export interface OwnServer {
  readonly url: string;
  readonly token: string;
  readonly process: ChildProcess;
}

/**
 * Starts the local service on a free port, in a process that ends with this one.
 * @param data its data folder; in memory without it
 * @throws PlainError if it ends before it is ready; the reason is on standard error
 */
export async function startOwnServer(data?: string): Promise<OwnServer> {
  const { [ENVIRONMENT.endpoint]: _, ...env } = process.env;
  const where = data === undefined ? ['--memory'] : ['--data', data];
  const child = spawn(process.execPath, [START, '--port', '0', ...where], {
    env,
    // With an IPC channel, the service notices the end of this process, even after `kill -9`.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const printed = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      // The later lines, one per request, are not needed.
      if (output.includes('Stop it with')) return;
      output += chunk;
      if (output.includes('Stop it with')) resolve(output);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new PlainError('The local service did not start.')));
  });
  return {
    url: /http:\/\/localhost:\d+/.exec(printed)?.[0] ?? '',
    token: /plants_[0-9A-Za-z]+/.exec(printed)?.[0] ?? '',
    process: child,
  };
}
