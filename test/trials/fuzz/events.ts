import fc from 'fast-check';
import { plantEvent } from '../../support/test-service.ts';
import { anyJson, damaged, soup } from './json-texts.ts';
import { numberLiteral } from './number-texts.ts';
import { nearPlant } from './plant-texts.ts';

/** Generates events of one kind for the valid token. */
export type Events = (token: string) => fc.Arbitrary<object>;

/** A body in base64, as the gateway sends it, or sometimes as text. */
function posted(body: fc.Arbitrary<string>): Events {
  return (token) =>
    fc.tuple(body, fc.nat({ max: 9 })).map(([text, dice]) => {
      const asText = { body: text, isBase64Encoded: false };
      return plantEvent(token, text, dice === 0 ? asText : {});
    });
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
export const accidents: Events = posted(damaged(nearPlant));
/** Any JSON. */
export const json: Events = posted(anyJson);
/** Text that resembles JSON. */
export const soups: Events = posted(fc.oneof(soup, damaged(anyJson)));

const around = (limit: number) => fc.integer({ min: limit - 3, max: limit + 3 });
const filler = fc.constantFrom('a', 'é', '語', '🌱', '\\u00e9', '\\n');

/** Bodies close to the published limits: size of body and item, depth, length of the id's literal. */
export const limits: Events = posted(
  fc.oneof(
    fc
      .tuple(around(1_048_576 - 24), fc.constantFrom(' ', '\n'))
      .map(([n, pad]) => `{"id":1,"name":"Fern"} ${pad.repeat(n)}`),
    fc.tuple(around(409_573), filler).map(([n, unit]) => `{"id":2,"name":"${filled(n, unit)}"}`),
    fc
      .tuple(around(409_570), fc.nat({ max: 409_573 }), filler)
      .map(
        ([n, tag, unit]) =>
          `{"id":3,"name":"${filled(Math.max(0, n - tag), unit)}","tag":"${'t'.repeat(tag)}"}`,
      ),
    fc
      .tuple(fc.oneof(around(999), fc.integer({ min: 1, max: 100_000 })), fc.boolean())
      .map(([n, list]) => (list ? nested(n, '[', ']') : nested(n, '{"a":', '}'))),
    fc
      .tuple(around(128), numberLiteral)
      .map(([n, literal]) => `{"id":${stretched(literal, n)},"name":"Fern"}`),
  ),
);

/** The content of a JSON string with a given size in UTF-8 bytes: one character repeated, then padding. */
function filled(size: number, unit: string): string {
  const bytes = Buffer.byteLength(JSON.parse(`"${unit}"`));
  return unit.repeat(Math.floor(size / bytes)) + 'x'.repeat(size % bytes);
}

function nested(depth: number, open: string, close: string): string {
  return `{"id":4,"name":"Fern","x":${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}}`;
}

/** The same number, extended with zeros to a given length where possible. */
function stretched(literal: string, length: number): string {
  const missing = Math.max(0, length - literal.length);
  const [mantissa = '', exponent] = literal.split(/e/i);
  const zeros = mantissa.includes('.') ? '0'.repeat(missing) : `.${'0'.repeat(Math.max(1, missing - 1))}`;
  return exponent === undefined ? mantissa + zeros : `${mantissa}${zeros}e${exponent}`;
}
