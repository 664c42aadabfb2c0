import { setTimeout } from 'node:timers/promises';

/**
 * The most items of a page. Small plants would otherwise fill DynamoDB's 1 MB with tens of thousands of items, which take ten
 * times that memory.
 */
const MOST_ITEMS = 2_000;

/** One page of a Scan: its items, and the read units that it took. */
interface Page {
  readonly items: number;
  readonly units: number;
}

/** The time in milliseconds, and how to wait. */
interface Clock {
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

/**
 * Keeps the reads of all segments together to a rate. Pages are then read one at a time, in turn, and each costs about what one
 * second allows; the next one waits until the cost of the last has passed.
 */
export class ReadRate {
  readonly #unitsPerSecond: number | undefined;
  readonly #clock: Clock;
  #turn: Promise<unknown> = Promise.resolve();
  /** When the reads so far are within the rate, in milliseconds. */
  #freeAt = 0;
  #read = { items: 0, units: 0 };

  /** @param unitsPerSecond undefined for no limit */
  constructor(unitsPerSecond: number | undefined, clock: Clock = CLOCK) {
    this.#unitsPerSecond = unitsPerSecond;
    this.#clock = clock;
  }

  /**
   * Reads a page when the rate allows it.
   * @param read is given the most items that the page may have
   * @throws what `read` throws, or an error of the signal
   */
  async page<Result extends Page>(read: (most: number) => Promise<Result>, signal: AbortSignal) {
    const rate = this.#unitsPerSecond;
    if (rate === undefined) return read(MOST_ITEMS);
    const { now, pause } = this.#clock;
    const page = this.#turn.then(async () => {
      const wait = this.#freeAt - now();
      if (wait > 0) await pause(wait, signal);
      signal.throwIfAborted();
      const result = await read(this.#most(rate));
      this.#read = { items: this.#read.items + result.items, units: this.#read.units + result.units };
      this.#freeAt = now() + (result.units / rate) * 1000;
      return result;
    });
    this.#turn = page.catch(() => undefined);
    return page;
  }

  /** How many items cost about what one second allows. Before the first page their size is unknown: a plant of 4 KB costs 1. */
  #most(rate: number): number {
    const { items, units } = this.#read;
    const most = items === 0 || units === 0 ? rate : Math.floor((rate * items) / units);
    return Math.max(1, Math.min(MOST_ITEMS, most));
  }
}
