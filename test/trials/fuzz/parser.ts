import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Failure } from '../../../lambda/answer/errors.ts';
import { type Properties, parseJson } from '../../../lambda/request/json.ts';
import { judgeJson } from './json-oracle.ts';
import { anyJson, damaged, soup } from './json-texts.ts';
import { nearPlant } from './plant-texts.ts';

/**
 * The service's parser accepts what Node's parser accepts, except duplicate properties with different values and too deep
 * nesting, and it finds the same properties and values.
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
    let parsed: Properties | undefined;
    let isRead = true;
    try {
      parsed = parseJson(text);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      isRead = false;
    }
    if (isRead !== expected.ok) throw new Error(expected.ok ? 'refused' : 'accepted');
    if (!expected.ok) return;
    const { value } = expected;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject !== (parsed !== undefined)) throw new Error('an object, or not');
    if (!parsed) return;
    const properties = Object.fromEntries([...parsed].map(([name, json]) => [name, JSON.parse(json)]));
    if (!isDeepStrictEqual(properties, value)) throw new Error('other values');
  },
};
