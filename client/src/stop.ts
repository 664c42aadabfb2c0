/** The longest delay of a timer, in milliseconds (24 days): a longer one fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs work with its own signal, which is aborted by the first of the given signals or by a timeout. Does not wait for
 * work that ignores its signal. Unlike `AbortSignal.any`, it leaves no listener on a signal that outlives the work.
 * @param timeoutMs unlimited by default
 * @param awaited what the work results in, for the message of the TimeoutError
 * @throws the reason of the signal that stopped the work, or a TimeoutError
 */
export function runStoppable<T>(
  signals: readonly (AbortSignal | null | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
  timeoutMs = Infinity,
  awaited = 'response',
): Promise<T> {
  const given = signals.filter((signal) => signal != null);
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => own.abort(given.find(({ aborted }) => aborted)?.reason);
  return new Promise<T>((resolve, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason));
    for (const signal of given) signal.addEventListener('abort', stop);
    if (given.some(({ aborted }) => aborted)) return stop();
    const timeOut = () =>
      new DOMException(`No ${awaited} within ${Math.round(timeoutMs)} ms.`, 'TimeoutError');
    timer = setTimeout(() => own.abort(timeOut()), Math.min(timeoutMs, LONGEST_TIMER_MS));
    work(own.signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    for (const signal of given) signal.removeEventListener('abort', stop);
  });
}

/**
 * Waits.
 * @param ms at most {@link LONGEST_TIMER_MS}
 * @throws the signal's reason as soon as it is aborted
 */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
