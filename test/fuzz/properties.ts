import fc from 'fast-check';
import * as events from './events.ts';
import * as odd from './odd-events.ts';
import { Referee } from './referee.ts';
import type { Subject } from './subject.ts';

/** The kinds of requests, and their shares of a run in thousandths. */
const KINDS: readonly [name: string, share: number, kind: events.Events][] = [
  ['valid and nearly valid plants', 420, events.plants],
  ['plants with small defects', 210, events.defects],
  ['any JSON', 85, events.json],
  ['text that resembles JSON', 85, events.soups],
  ['any bytes', 45, events.bytes],
  ['headers, methods and paths', 95, odd.headers],
  ['events that no gateway sends', 60, odd.shapes],
];

/** A property of a function: every response conforms to the contract. */
export interface Fuzz {
  readonly name: string;
  readonly numRuns: number;
  readonly property: fc.IAsyncPropertyWithHooks<[object]>;
}

/**
 * The properties of one function, whose cases share a store.
 * @param runs the number of cases of all kinds together
 * @param numbers counts how often each number is returned, 200 included
 */
export function fuzzes(subject: Subject, runs: number, numbers = new Map<number, number>()): Fuzz[] {
  const referee = new Referee(subject);
  return KINDS.map(([name, share, kind]) => ({
    name,
    numRuns: Math.ceil((runs * share) / 1000),
    property: fc.asyncProperty(kind(subject.token), async (event) => {
      const number = await referee.check(event);
      numbers.set(number, (numbers.get(number) ?? 0) + 1);
    }),
  }));
}
