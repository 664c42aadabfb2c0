import fc from 'fast-check';
import { plantEvent } from '../support/test-service.ts';
import { anyJson, damaged, soup } from './json-texts.ts';
import { nearPlant } from './plant-texts.ts';

/** Generates events of one kind for the valid token. */
export type Events = (token: string) => fc.Arbitrary<object>;

/** A body in base64, as the gateway sends it, or sometimes as text. */
function posted(body: fc.Arbitrary<string>): Events {
  return (token) =>
    fc
      .tuple(body, fc.nat({ max: 9 }))
      .map(([text, dice]) =>
        plantEvent(token, text, dice === 0 ? { body: text, isBase64Encoded: false } : {}),
      );
}

/** Any bytes, and plants with invalid UTF-8. */
export const bytes: Events = (token) =>
  fc
    .oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.tuple(nearPlant, fc.nat(), fc.nat({ max: 255 })).map(([text, at, byte]) => {
        const buffer = Buffer.from(text);
        buffer[at % Math.max(1, buffer.length)] = byte;
        return buffer;
      }),
    )
    .map((body) => plantEvent(token, Buffer.from(body)));

/** Valid and nearly valid plants. */
export const plants: Events = posted(nearPlant);
/** Plants with small defects. */
export const defects: Events = posted(damaged(nearPlant));
/** Any JSON. */
export const json: Events = posted(anyJson);
/** Text that resembles JSON. */
export const soups: Events = posted(fc.oneof(soup, damaged(anyJson)));

const around = (limit: number) => fc.integer({ min: limit - 3, max: limit + 3 });
const filler = fc.constantFrom('a', 'é', '語', '🌱', '\\u00e9', '\\n');
/** The start of a number, to which any number of zeros can be appended. */
const extensible = fc.constantFrom('7.', '-1e', '0.5', '9223372036854775807.0', '9223372036854775808.');

/** Bodies close to the published limits: size of body and item, depth, length of the id's literal. */
export const limits: Events = posted(
  fc.oneof(
    fc
      .tuple(around(1_048_576 - 24), fc.constantFrom(' ', '\n'))
      .map(([size, pad]) => `{"id":1,"name":"Fern"} ${pad.repeat(size)}`),
    fc.tuple(around(409_573), filler).map(([size, unit]) => `{"id":2,"name":"${filled(size, unit)}"}`),
    fc.tuple(around(409_570), fc.nat({ max: 409_567 }), filler).map(([size, tag, unit]) => {
      return `{"id":3,"name":"${filled(size - tag, unit)}","tag":"${'t'.repeat(tag)}"}`;
    }),
    fc.tuple(fc.oneof(around(999), fc.integer({ min: 1, max: 100_000 })), fc.boolean()).map(nested),
    fc
      .tuple(around(128), extensible)
      .map(([length, start]) => `{"id":${start.padEnd(length, '0')},"name":"Fern"}`),
  ),
);

/** The content of a JSON string with a given size in UTF-8 bytes: one character repeated, then padding. */
function filled(size: number, unit: string): string {
  const bytes = Buffer.byteLength(JSON.parse(`"${unit}"`));
  return unit.repeat(Math.floor(size / bytes)) + 'x'.repeat(size % bytes);
}

function nested([depth, isArray]: [number, boolean]): string {
  const value = isArray
    ? '['.repeat(depth) + ']'.repeat(depth)
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  return `{"id":4,"name":"Fern","x":${value}}`;
}
