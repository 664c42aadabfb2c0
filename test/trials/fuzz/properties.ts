import fc from 'fast-check';
import * as events from './events.ts';
import * as odd from './odd-events.ts';
import { sameAsNode } from './parser.ts';
import type { Referee } from './referee.ts';

/** A property, and its share of a run in thousandths. */
export interface Fuzz {
  readonly name: string;
  readonly share: number;
  property(token: string, referee: Referee): fc.IAsyncProperty<[unknown]> | fc.IProperty<[string]>;
}

const answered = (name: string, share: number, kind: events.Events): Fuzz => ({
  name,
  share,
  property: (token, referee) => fc.asyncProperty(kind(token), (event) => referee.check(event)),
});

/** All properties that are tested. */
export const FUZZES: readonly Fuzz[] = [
  answered('valid and nearly valid plants', 400, events.plants),
  answered('plants with small defects', 200, events.accidents),
  answered('any JSON', 80, events.json),
  answered('text that resembles JSON', 80, events.soups),
  answered('any bytes', 40, events.bytes),
  answered('headers, methods and paths', 90, odd.headers),
  answered('events that no gateway sends', 55, odd.shapes),
  answered('bodies at the limits', 5, events.limits),
  {
    name: 'the JSON parser compared with Node’s',
    share: 50,
    property: () => fc.property(sameAsNode.texts, sameAsNode.check),
  },
];
