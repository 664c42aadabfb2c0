import { expect, test, vi } from 'vitest';
import { withInterrupt } from './interrupt.ts';
import { PlainError } from './plain-error.ts';

// Others come at once, as from a closed terminal; after a second, somebody means it.
test.each<[lateMs: number, ended: NodeJS.Signals[]]>([
  [900, []],
  [1_100, ['SIGTERM']],
])(
  'work is told of a signal and goes on; another one after %i ms ends the process: %j',
  async (lateMs, expected) => {
    for (const first of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const ended: unknown[] = [];
      const now = vi.spyOn(performance, 'now').mockReturnValue(5_000);
      const before = process.listenerCount(first);
      vi.spyOn(process, 'kill').mockImplementation((_, signal) => {
        expect(process.listenerCount(first)).toBe(before);
        ended.push(signal);
        return true;
      });
      const work = withInterrupt('The work was interrupted.', async ({ signal }) => {
        expect(signal.aborted).toBe(false);
        process.emit(first, first);
        expect(signal.reason).toEqual(new PlainError('The work was interrupted.'));
        now.mockReturnValue(5_000 + lateMs);
        process.emit('SIGTERM', 'SIGTERM');
        return 'done';
      });
      expect(await work).toBe('done');
      expect(ended).toEqual(expected);
      // After the work, a signal has its usual effect.
      expect(process.listenerCount(first)).toBe(before);
    }
  },
);
