import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Failure } from '../../lambda/answer/errors.ts';
import { type Json, NumberLiteral, parseJson } from '../../lambda/request/json.ts';
import { judgeJson } from './json-oracle.ts';
import { anyJson, damaged, soup } from './json-texts.ts';
import { nearPlant } from './plant-texts.ts';

/**
 * The service's parser says what Node's says: it takes what Node's takes, but for properties given twice with different
 * values and for too deep nesting, and makes the same of it.
 */
export const sameAsNode = {
  texts: fc.oneof(
    anyJson,
    nearPlant,
    damaged(anyJson),
    damaged(nearPlant),
    soup,
    fc.string({ unit: 'binary' }),
  ),
  check: (text: string): void => {
    const expected = judgeJson(text);
    let parsed: Json | undefined;
    try {
      parsed = parseJson(text);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    if ((parsed !== undefined) !== expected.ok) throw new Error(expected.ok ? 'refused' : 'accepted');
    if (!expected.ok || parsed === undefined) return;
    if (!isDeepStrictEqual(plain(parsed), expected.value)) throw new Error('another value');
  },
};

/** A value as `JSON.parse` gives it. */
function plain(value: Json): unknown {
  if (value instanceof NumberLiteral) return Number(value.literal);
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  const object: Record<string, unknown> = {};
  for (const [key, each] of value) {
    Object.defineProperty(object, key, {
      value: plain(each),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}
