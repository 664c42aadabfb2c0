import timers from 'node:timers';
import promised, { setImmediate as turn } from 'node:timers/promises';

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/**
 * A clock that replaces the timers of this process. It moves to the next timer whenever nothing else is left to do, so that minutes of
 * waiting take no time. Times are in milliseconds.
 */
export class SimulatedClock {
  now = 0;
  readonly #timers = new Set<Timer>();

  /** Puts itself in the place of `setTimeout`, of all three kinds, and of `clearTimeout`, for good. */
  install(): void {
    const setTimeout = (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
      const timer = {
        due: this.now + ms,
        run: () => callback(...values),
        ref: () => timer,
        unref: () => timer,
      };
      this.#timers.add(timer);
      return timer;
    };
    const clearTimeout = (timer: Timer) => void this.#timers.delete(timer);
    for (const each of [globalThis, timers]) Object.assign(each, { setTimeout, clearTimeout });
    Object.assign(promised, {
      setTimeout: (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
        this.pause(ms, value, signal),
    });
  }

  pause<T>(ms: number, value?: T, signal?: AbortSignal): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = { due: this.now + ms, run: () => resolve(value as T) };
    this.#timers.add(timer);
    signal?.addEventListener('abort', () => {
      this.#timers.delete(timer);
      reject(signal.reason);
    });
    return promise;
  }

  /** Starts another timeline: nothing of the one before goes on. */
  restart(now: number): void {
    this.#timers.clear();
    this.now = now;
  }

  /** Lets time pass until some work has ended. */
  async until<T>(work: Promise<T>): Promise<T> {
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    work.then(end, end);
    for (;;) {
      await turn();
      if (hasEnded) return work;
      // The SDK reads its settings, once.
      const isReading = process.getActiveResourcesInfo().some((name) => name.includes('Req'));
      if (!isReading) this.#toNext();
    }
  }

  #toNext(): void {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.due < next.due) next = timer;
    if (!next) return;
    this.#timers.delete(next);
    this.now = next.due;
    next.run();
  }
}
