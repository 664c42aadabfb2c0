import { setImmediate as turn } from 'node:timers/promises';

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/**
 * A clock that replaces timers and moves only by {@link advance}, so that tests of time limits do not depend on the
 * machine's speed. Times are in milliseconds.
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

  /** Replaces `setTimeout` of `node:timers/promises`. Nothing else moves the clock in a pause, so the pause itself does. */
  readonly pause = async (ms = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    signal?.throwIfAborted();
    await turn();
    await this.advance(ms);
    signal?.throwIfAborted();
    return value;
  };

  /** Moves the clock, and runs the timers that become due, the earliest first. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      const [id, { due, run }] = next;
      this.#timers.delete(id);
      this.now = Math.max(this.now, due);
      run();
      // Its effects may stop a timer that is due later.
      await turn();
    }
    this.now = Math.max(this.now, end);
  }

  #next(end: number): [object, Timer] | undefined {
    const due = [...this.#timers].filter(([, timer]) => timer.due <= end);
    return due.sort(([, a], [, b]) => a.due - b.due)[0];
  }
}
