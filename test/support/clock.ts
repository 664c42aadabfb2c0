import { setImmediate as turn } from 'node:timers/promises';

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/**
 * A clock that stands still until somebody moves it, in place of timers: a time limit that is tested with it does not
 * depend on how fast the machine is. Times are in milliseconds.
 */
export class Clock {
  /** The time that has passed. */
  now = 0;
  readonly #timers = new Map<object, Timer>();

  readonly setTimeout = (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): object => {
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true };
    this.#timers.set(timer, { due: this.now + ms, run: () => callback(...values) });
    return timer;
  };

  readonly clearTimeout = (timer: object): void => void this.#timers.delete(timer);

  /** In place of `setTimeout` of `node:timers/promises`. Nobody else moves the clock in a pause, so the pause does. */
  readonly pause = async (ms = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    await turn();
    await this.advance(ms);
    signal?.throwIfAborted();
    return value;
  };

  /** Lets time pass: runs what is due on the way, the earliest first. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      const [id, { due, run }] = next;
      this.#timers.delete(id);
      this.now = Math.max(this.now, due);
      run();
      // What it led to may stop a timer that is due later.
      await turn();
    }
    this.now = Math.max(this.now, end);
  }

  #next(end: number): [object, Timer] | undefined {
    return [...this.#timers].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due)[0];
  }
}
