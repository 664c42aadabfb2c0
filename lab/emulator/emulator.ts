import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { listen } from '../../test/support/listen.ts';
import { installPython } from '../installation.ts';

/** A running LocalStack. */
export interface Emulator {
  readonly endpoint: string;
  stop(): void;
}

/**
 * Starts LocalStack on a free port of the loopback interface, after installing it on first use.
 * @param folder for its files
 * @throws Error with its output, if it ends before it is ready
 */
export async function startEmulator(folder: string): Promise<Emulator> {
  const { PATH, PYTHON = 'python3.13' } = process.env;
  // The file lists every package; two of them are older than other packages require.
  const packages = ['--no-deps', '--requirement', path.join(import.meta.dirname, 'requirements.txt')];
  const commands = installPython('localstack', PYTHON, ...packages);
  const endpoint = await freeAddress();
  const child = spawn(path.join(commands, 'python'), [path.join(import.meta.dirname, 'start.py')], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      HOME: folder,
      TMPDIR: folder,
      GATEWAY_LISTEN: endpoint.replace('http://', ''),
      // Resources that it does not know, such as metric filters, count as created.
      CFN_IGNORE_UNSUPPORTED_RESOURCE_TYPES: '1',
      SKIP_SSL_CERT_DOWNLOAD: '1',
      DISABLE_EVENTS: '1',
    },
  });
  let output = '';
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
        if (/^Ready\.$/m.test(output)) resolve();
      });
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`LocalStack ended: ${output}`)));
  ended.catch(() => undefined);
  await Promise.race([ready, ended]);
  return {
    endpoint,
    // Its process group, to which its own children belong.
    stop: () => child.exitCode === null && child.pid && process.kill(-child.pid, 'SIGKILL'),
  };
}

async function freeAddress(): Promise<string> {
  const server = createServer();
  const address = await listen(server);
  server.close();
  await once(server, 'close');
  return address;
}
