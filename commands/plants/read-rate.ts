import { setTimeout } from 'node:timers/promises';

/**
 * The most items of a page. Small plants would otherwise fill DynamoDB's 1 MB with tens of thousands of items, which take ten
 * times that memory.
 */
const MOST_ITEMS = 2_000;

/** The time in milliseconds, and how to wait. */
const CLOCK = {
  now: () => performance.now(),
  pause: (ms: number, signal: AbortSignal): Promise<unknown> => setTimeout(ms, undefined, { signal }),
};

/** Reads a page of a Scan. @param most how many items it may have @returns also its items, and the read units that it took */
type Read<Page> = (most: number) => Promise<Page & { readonly items: number; readonly units: number }>;

/** Reads a page when the rate allows it. @throws what `read` throws, or an error of the signal */
export type ReadAtRate = <Page>(read: Read<Page>, signal: AbortSignal) => Promise<Page>;

/**
 * Keeps the reads of all segments together to a rate. Pages are then read one at a time, in turn, and each costs about what one
 * second allows; the next one waits until the cost of the last has passed.
 * @param rate in units a second; undefined for no limit
 */
export function readRate(rate: number | undefined, { now, pause } = CLOCK): ReadAtRate {
  if (rate === undefined) return (read) => read(MOST_ITEMS);
  let turn: Promise<unknown> = Promise.resolve();
  /** When the reads so far are within the rate, in milliseconds. */
  let freeAt = 0;
  let items = 0;
  let units = 0;

  /** How many items cost about what one second allows. Before the first page their size is unknown: a plant of 4 KB costs 1. */
  const most = () => {
    const count = items === 0 || units === 0 ? rate : Math.floor((rate * items) / units);
    return Math.max(1, Math.min(MOST_ITEMS, count));
  };

  return (read, signal) => {
    const page = turn.then(async () => {
      const wait = freeAt - now();
      if (wait > 0) await pause(wait, signal);
      signal.throwIfAborted();
      const result = await read(most());
      items += result.items;
      units += result.units;
      freeAt = now() + (result.units / rate) * 1000;
      return result;
    });
    turn = page.catch(() => undefined);
    return page;
  };
}
