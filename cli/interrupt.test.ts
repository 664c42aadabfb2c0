import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = fileURLToPath(new URL('./interrupt.ts', import.meta.url));

/** Work that prints how it was aborted, and ends at SIGWINCH. Its argument is how late a second signal is, in ms. */
const PROGRAM = `
import { once } from 'node:events';
const { withInterrupt } = await import(process.argv[1]);
process.stdin.resume();
const end = once(process, 'SIGWINCH');
await withInterrupt('The work was interrupted.', async (stop) => {
  console.info('begun');
  await once(stop.signal, 'abort');
  const abortedAt = performance.now();
  performance.now = () => abortedAt + Number(process.argv[2]);
  console.info(stop.signal.reason.name, stop.signal.reason.message);
  await end;
});
console.info('ended');
`;

/** Starts the program. @returns it, when its work has begun; and a promise of its next line */
async function start(lateMs: number) {
  const child = spawn(process.execPath, [
    '--input-type=module-typescript',
    '-e',
    PROGRAM,
    MODULE,
    String(lateMs),
  ]);
  child.stdout.setEncoding('utf8');
  const exit = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const line = async () => Promise.race([once(child.stdout, 'data').then(String), exit]);
  expect(await line()).toBe('begun\n');
  return { child, line, exit };
}

test.concurrent.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'work is told of %s, also if it comes twice at once as from a closed terminal, and goes on to its end',
  async (signal) => {
    const { child, line, exit } = await start(900);
    child.kill(signal);
    expect(await line()).toBe('PlainError The work was interrupted.\n');
    child.kill('SIGHUP');
    child.kill('SIGTERM');
    // The last of signals that come at once, because its number is the highest.
    child.kill('SIGWINCH');
    expect(await line()).toBe('ended\n');
    // After the work, a signal has its usual effect.
    child.kill(signal);
    expect(await exit).toBe(signal);
  },
);

test.concurrent('a second signal, later, ends the process at once', async () => {
  const { child, line, exit } = await start(1_100);
  child.kill('SIGINT');
  expect(await line()).toBe('PlainError The work was interrupted.\n');
  child.kill('SIGTERM');
  expect(await exit).toBe('SIGTERM');
});
