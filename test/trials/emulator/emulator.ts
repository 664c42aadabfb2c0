import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm ci` empties it, so other versions are installed afterwards. */
const INSTALLED = fileURLToPath(new URL('../../../node_modules/.cache/localstack', import.meta.url));
const PYTHON = path.join(INSTALLED, 'bin/python');

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
  install();
  const port = await freePort();
  const child = spawn(PYTHON, [path.join(import.meta.dirname, 'start.py')], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TMPDIR: folder,
      GATEWAY_LISTEN: `127.0.0.1:${port}`,
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
    endpoint: `http://127.0.0.1:${port}`,
    // Its whole process group, which its own children belong to.
    stop: () => child.exitCode === null && child.pid && process.kill(-child.pid, 'SIGKILL'),
  };
}

function install(): void {
  if (existsSync(path.join(INSTALLED, 'bin/localstack'))) return;
  console.info('Installing LocalStack, which takes some minutes …');
  // The file lists every package; two of them are older than other packages require.
  const pip = [
    '-m',
    'pip',
    'install',
    '--no-deps',
    '--quiet',
    '--disable-pip-version-check',
    '--requirement',
  ];
  try {
    execFileSync(process.env.PYTHON ?? 'python3.13', ['-m', 'venv', '--clear', INSTALLED], {
      stdio: 'inherit',
    });
    execFileSync(PYTHON, [...pip, path.join(import.meta.dirname, 'requirements.txt')], { stdio: 'inherit' });
  } catch (error) {
    rmSync(INSTALLED, { recursive: true, force: true });
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
