import { setTimeout as startTimer } from 'node:timers';

/** Less than vitest's own limit, which names only the test, in milliseconds. */
const LIMIT_MS = 50_000;

/**
 * Waits for something that must end, so that a test in which it does not fails with a sentence and does not hang.
 * @param what what must end, and what is known about it
 * @param giveUp frees what does not end
 */
export async function mustEnd<Result>(
  ending: Promise<Result>,
  what: () => string,
  giveUp: () => unknown = () => undefined,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = startTimer(() => {
    giveUp();
    late.reject(new Error(`After ${LIMIT_MS / 1_000} seconds, it has not ended: ${what()}`));
  }, LIMIT_MS);
  try {
    return await Promise.race([ending, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
