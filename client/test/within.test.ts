import { expect, test } from 'vitest';
import { within } from '../src/within.ts';

test('work that ends after its time leaves other work with the same signal its abort', async () => {
  const stop = new AbortController();
  const never = () => new Promise<never>(() => undefined);
  const ended = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const other = ended(within(5_000, 'response', [stop.signal], never));
  const late = within(
    1,
    'response',
    [stop.signal],
    (signal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => setTimeout(reject, 1, signal.reason)),
      ),
  );
  expect(await ended(late)).toMatchObject({ name: 'TimeoutError' });
  await new Promise((resolve) => setTimeout(resolve, 10));
  stop.abort('stopped');
  expect(await other).toBe('stopped');
});
