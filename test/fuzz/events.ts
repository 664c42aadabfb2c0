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
