/** The longest time that a timer can run, in milliseconds: a longer one would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs work under a signal of its own, which is aborted with the first of the given signals, or by time. Work that does
 * not obey its signal is left behind. Unlike with `AbortSignal.any`, nothing stays attached to a signal that lives longer.
 * @param timeoutMs for ever by default
 * @throws the reason of the signal that stopped the work; a TimeoutError if that was the time
 */
export function underSignals<T>(
  signals: readonly (AbortSignal | null | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
  timeoutMs = Infinity,
): Promise<T> {
  const given = signals.filter((signal) => signal != null);
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => own.abort(given.find(({ aborted }) => aborted)?.reason);
  return new Promise<T>((resolve, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason));
    for (const signal of given) signal.addEventListener('abort', stop);
    if (given.some(({ aborted }) => aborted)) return stop();
    timer = setTimeout(() => own.abort(timeOut(timeoutMs)), Math.min(timeoutMs, LONGEST_TIMER_MS));
    work(own.signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    for (const signal of given) signal.removeEventListener('abort', stop);
  });
}

/** Waits. @throws the signal's reason as soon as it is aborted */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function timeOut(ms: number): DOMException {
  return new DOMException(`No answer came in ${Math.round(ms)} ms.`, 'TimeoutError');
}
