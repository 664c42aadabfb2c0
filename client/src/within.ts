/** Not a DOMException, which React Native does not have. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** What each signal stops when it is aborted. */
const stoppedBy = new WeakMap<AbortSignal, Stopped>();

/**
 * All that one signal stops has one listener: from the eleventh on, Node 20 prints that there may be a leak. A list, because V8 copies a
 * Set again and again while some are added and others deleted, and what a dead copy holds stays until the next full collection.
 */
class Stopped {
  readonly all: (() => void)[] = [];
  readonly listener = () => {
    for (const stop of [...this.all]) stop();
  };
}

/**
 * Does some work, but waits no longer than a time, and not after an abort, even if the work ignores its signal. Unlike
 * `AbortSignal.any`, it leaves nothing behind on a signal that outlives the work.
 * @param ms at most the longest delay of a timer, 2^31 − 1
 * @param awaited what the work results in, for the message
 * @throws a TimeoutError, or the reason of the abort
 */
export function within<T>(
  ms: number,
  awaited: string,
  stops: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    throwIfStopped(stops);
    const limited = new AbortController();
    const release = () => {
      clearTimeout(timer);
      for (const stop of stops) unlisten(stop, onStop);
    };
    const end = (reason: unknown) => {
      release();
      // First: how the work ends at the abort is its own affair.
      reject(reason);
      limited.abort(reason);
    };
    const onStop = () => end(reasonOf(stops.find(({ aborted }) => aborted)));
    const onTimeout = () => end(new TimeoutError(`No ${awaited} within ${Math.round(ms)} ms.`));
    const timer = setTimeout(onTimeout, ms);
    for (const stop of stops) listen(stop, onStop);
    work(limited.signal).then(resolve, reject).finally(release);
  });
}

function listen(signal: AbortSignal, onAbort: () => void): void {
  const stopped = stoppedBy.get(signal) ?? new Stopped();
  if (stopped.all.push(onAbort) > 1) return;
  stoppedBy.set(signal, stopped);
  signal.addEventListener('abort', stopped.listener);
}

function unlisten(signal: AbortSignal, onAbort: () => void): void {
  const { all, listener } = stoppedBy.get(signal) as Stopped;
  const at = all.indexOf(onAbort);
  if (at < 0) return;
  const last = all.pop() as () => void;
  if (last !== onAbort) all[at] = last;
  if (all.length === 0) signal.removeEventListener('abort', listener);
}

export function throwIfStopped(stops: readonly AbortSignal[]): void {
  for (const stop of stops) if (stop.aborted) throw reasonOf(stop);
}

/** The signals of React Native have no reason, and no `throwIfAborted`. */
function reasonOf(signal?: AbortSignal): unknown {
  if (signal?.reason !== undefined) return signal.reason;
  return Object.assign(new Error('This operation was aborted.'), { name: 'AbortError' });
}
