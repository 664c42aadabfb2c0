import { describe, expect, test, vi } from 'vitest';
import { bodyOf, LEAST, OTHER, TEXT, WHOLE } from '../../contract/examples.ts';
import { IS_NUMBER, idOf } from '../../contract/key.ts';
import { OPTIONAL } from '../../test/support/properties.ts';
import { createPlantStore, type NewPlant } from '../src/index.ts';
import { checkedValues, toSend } from '../src/plant.ts';
import { plantOf } from './scripted-service.ts';

const withText = (text: string) => (TEXT === undefined ? LEAST : { ...LEAST, [TEXT]: text });
const WITH_NULL = { ...LEAST, [Object.keys(LEAST)[0] ?? '']: null };
/** Optional properties that are undefined. */
const WITHOUT = Object.fromEntries(OPTIONAL.map((name) => [name, undefined]));

describe('the body contains the exact plant', () => {
  test.each<[NewPlant, string]>([
    [plantOf(7n, WHOLE), bodyOf(7, WHOLE)],
    [plantOf(-0, { ...WHOLE, ...WITHOUT }), bodyOf(0)],
    [plantOf(9223372036854775807n), bodyOf(9223372036854775807n)],
    [plantOf(1, withText('"\\\n\u0000🌿')), bodyOf(1, withText('⟨⟩')).replace('⟨⟩', '\\"\\\\\\n\\u0000🌿')],
    [plantOf(1, { ...LEAST, quux: 'green' }), bodyOf(1)],
  ])('%o', (plant, body) => {
    expect(toSend(plant).body).toBe(body);
  });
});

describe('a plant that cannot be sent exactly is rejected, and nothing is sent', () => {
  type Row = [what: string, plant: unknown, kind: ErrorConstructor, message: RegExp];
  const ofNumbers: Row[] = [
    ['no id', LEAST, TypeError, /^id must be of type bigint or number; it is undefined\.$/],
    ['an unsafe number', plantOf(9007199254740992), RangeError, /beyond ±9007199254740991 a bigint/],
  ];
  test.each<Row>([
    ['no plant', undefined, TypeError, /plant must be an object/],
    ['null as a plant', null, TypeError, /plant must be an object/],
    ['no property', {}, TypeError, /^id must be of type .*; it is undefined\.$/],
    [
      'an id of another type',
      { id: IS_NUMBER ? '7' : 7, ...LEAST },
      TypeError,
      /^id must be .*; it is \w+\.$/,
    ],
    ...(IS_NUMBER ? ofNumbers : []),
    ['only an id', { id: IS_NUMBER ? 1 : idOf(1) }, TypeError, / must be .*; it is undefined\.$/],
    ['null', plantOf(1, WITH_NULL), TypeError, /^\w+ must be of type .+; it is null\.$/],
  ])('%s', async (_, plant, kind, message) => {
    const fetch = vi.fn(async () => Response.error());
    const store = createPlantStore({ baseUrl: 'http://127.0.0.1', token: 't', fetch, maxAttempts: 1 });
    const refused = await store.createPlant(plant as NewPlant).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(kind);
    expect((refused as Error).message).toMatch(message);
    expect(fetch).not.toHaveBeenCalled();
  });
});

test('a property that is optional may be absent, and a fraction in place of any integer is refused', () => {
  const seats = { types: ['bigint', 'number'], required: false } as const;
  expect(checkedValues({ other: 1 }, { seats })).toEqual({});
  const refused = () => checkedValues({ seats: 1.5 }, { seats });
  expect(refused).toThrow(RangeError('seats must be an integer; it is 1.5.'));
});

test('a property may be called as what every object inherits', () => {
  const properties = { constructor: { types: ['string'], required: false } } as const;
  expect(checkedValues({}, properties)).toEqual({});
  expect(checkedValues({ constructor: 'a' }, properties)).toEqual({ constructor: 'a' });
});

test('what is compared is what was sent, whatever the caller does with the plant in the meantime', () => {
  const plant = { ...plantOf(1) };
  const { resultOf } = toSend(plant);
  Object.assign(plant, OTHER);
  expect(resultOf(LEAST)).toEqual(LEAST);
});
