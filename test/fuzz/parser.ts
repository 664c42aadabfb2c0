import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Failure } from '../../lambda/errors.ts';
import { parseJson } from '../../lambda/request/json.ts';
import { judgeJson } from './json-oracle.ts';
import { anyJson, damaged, soup } from './json-texts.ts';
import { nearPlant } from './plant-texts.ts';

const texts = fc.oneof(
  anyJson,
  nearPlant,
  damaged(anyJson),
  damaged(nearPlant),
  soup,
  fc.string({ unit: 'binary' }),
);

/**
 * The service's parser accepts what Node's parser accepts, except duplicate properties with different values and nesting
 * that is too deep, and it finds the same properties and values.
 */
export const sameAsNode = fc.property(texts, (text) => {
  const expected = judgeJson(text);
  let parsed: unknown;
  try {
    const properties = parseJson(text);
    parsed =
      properties && Object.fromEntries([...properties].map(([name, json]) => [name, JSON.parse(json)]));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (expected.ok) throw new Error('refused');
    return;
  }
  if (!expected.ok) throw new Error('accepted');
  const object = /^\s*\{/.test(text) ? expected.value : undefined;
  if (!isDeepStrictEqual(parsed, object)) throw new Error('other values');
});
