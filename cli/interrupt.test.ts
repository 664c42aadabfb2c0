import { afterEach, expect, test, vi } from 'vitest';
import { withInterrupt } from './interrupt.ts';
import { PlainError } from './plain-error.ts';

const listeners = (signal: string) => process.listenerCount(signal);

/** Does work that gets a signal, and others after some milliseconds. @returns the signals that then end the process */
async function endedBy(lateMs: number, first: NodeJS.Signals, ...others: NodeJS.Signals[]) {
  const before = [first, ...others].map(listeners);
  const ended: unknown[] = [];
  const now = vi.spyOn(performance, 'now').mockReturnValue(5_000);
  vi.spyOn(process, 'kill').mockImplementation((_, signal) => {
    expect(listeners(String(signal))).toBe(before.at(-1));
    ended.push(signal);
    return true;
  });
  const work = withInterrupt('The work was interrupted.', async ({ signal }) => {
    expect(signal.aborted).toBe(false);
    process.emit(first, first);
    expect(signal.reason).toEqual(new PlainError('The work was interrupted.'));
    now.mockReturnValue(5_000 + lateMs);
    for (const other of others) process.emit(other, other);
    return 'done';
  });
  expect(await work).toBe('done');
  // After the work, a signal has its usual effect.
  expect([first, ...others].map(listeners)).toEqual(before);
  return ended;
}

afterEach(() => void vi.restoreAllMocks());

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'work is told of %s, also if others come at once as from a closed terminal, and goes on to its end',
  async (signal) => {
    expect(await endedBy(900, signal, 'SIGHUP', 'SIGTERM')).toEqual([]);
  },
);

test('a second signal, later, ends the process at once', async () => {
  expect(await endedBy(1_100, 'SIGINT', 'SIGTERM')).toEqual(['SIGTERM']);
});
