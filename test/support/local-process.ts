import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const START = new URL('../../tools/start.ts', import.meta.url).pathname;

/** A new empty folder; the operating system clears it away some day. */
export function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'plant-store-'));
}

/** `npm start`, as a process of its own. */
export interface LocalProcess {
  readonly url: string;
  /** The token that it printed. */
  readonly token: string;
  /** Where its embedded store listens, for a store that is not in memory. */
  readonly endpoint: string;
  /** All that it has printed so far. */
  readonly output: () => string;
  /** @returns the exit code, or the signal's name */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

/** Starts the local service on a free port and waits until it says that it is ready. */
export async function startLocalProcess(data: string): Promise<LocalProcess> {
  const { child, output } = run(['--port', '0', '--data', data]);
  await Promise.race([
    until(() => output().includes('Stop it with')),
    once(child, 'exit').then(() => Promise.reject(new Error(output()))),
  ]);
  return {
    url: /http:\/\/localhost:\d+/.exec(output())?.[0] ?? '',
    token: /plants_[0-9A-Za-z]+/.exec(output())?.[0] ?? '',
    endpoint: readFileSync(path.join(data, 'endpoint'), 'utf8'),
    output,
    end: async (signal) => {
      const exit = once(child, 'exit');
      child.kill(signal);
      const [code, killedBy] = await exit;
      return code ?? killedBy;
    },
  };
}

/** Runs the local service with options that make it end by itself. */
export async function runToEnd(args: string[]): Promise<{ code: number; output: string }> {
  const { child, output } = run(args);
  const [code] = await once(child, 'close');
  return { code, output: output() };
}

function run(args: string[]): { child: ChildProcess; output: () => string } {
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...env } = process.env;
  const child = spawn(process.execPath, [START, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const collect = (chunk: Buffer) => {
    text += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { child, output: () => text };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
