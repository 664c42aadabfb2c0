import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = fileURLToPath(new URL('./interrupt.ts', import.meta.url));

/** Work that prints how it was aborted, and then needs two seconds more to end. */
const PROGRAM = `
import { setTimeout as pause } from 'node:timers/promises';
const { withInterrupt } = await import(process.argv[1]);
await withInterrupt('The work was interrupted.', async (stop) => {
  console.info('begun');
  await pause(60_000, undefined, { signal: stop.signal }).catch(() => undefined);
  console.info(stop.signal.reason.name, stop.signal.reason.message);
  await pause(2_000);
});
console.info('ended');
await pause(60_000);
`;

/** Starts the program. @returns it, when its work has begun; and a promise of its next line */
async function start() {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', PROGRAM, MODULE]);
  child.stdout.setEncoding('utf8');
  const exit = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const line = async () => Promise.race([once(child.stdout, 'data').then(String), exit]);
  expect(await line()).toBe('begun\n');
  return { child, line, exit };
}

test.concurrent.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'work is told of %s, also if it comes twice at once as from a closed terminal, and goes on to its end',
  async (signal) => {
    const { child, line, exit } = await start();
    child.kill(signal);
    expect(await line()).toBe('PlainError The work was interrupted.\n');
    child.kill('SIGHUP');
    child.kill('SIGTERM');
    expect(await line()).toBe('ended\n');
    // After the work, a signal has its usual effect.
    child.kill(signal);
    expect(await exit).toBe(signal);
  },
);

test.concurrent('a second signal, later, ends the process at once', async () => {
  const { child, line, exit } = await start();
  child.kill('SIGINT');
  expect(await line()).toBe('PlainError The work was interrupted.\n');
  await pause(1_500);
  child.kill('SIGTERM');
  expect(await exit).toBe('SIGTERM');
});
