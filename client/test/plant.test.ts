import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createPlantStore, type NewPlant } from '../src/index.ts';
import { toSend } from '../src/plant.ts';

describe('the body contains the exact plant', () => {
  test.each<[NewPlant, string]>([
    [{ id: 7n, name: '', tag: '' }, '{"id":7,"name":"","tag":""}'],
    [{ id: -0, name: 'Fern', tag: undefined }, '{"id":0,"name":"Fern"}'],
    [{ id: 9223372036854775807n, name: 'Fern' }, '{"id":9223372036854775807,"name":"Fern"}'],
    [{ id: -9223372036854775808n, name: 'Fern' }, '{"id":-9223372036854775808,"name":"Fern"}'],
    [{ id: 1, name: '"\\\n\u0000', tag: '🌿' }, '{"id":1,"name":"\\"\\\\\\n\\u0000","tag":"🌿"}'],
    [{ id: 1, name: 'Fern', color: 'green' } as NewPlant, '{"id":1,"name":"Fern"}'],
  ])('%o', (plant, body) => {
    expect(toSend(plant).body).toBe(body);
  });

  test('the body parses back to any int64 and any text', () => {
    // Every code point except surrogates. fast-check's own unit for this, "binary", takes seconds to build.
    const codePoint = fc.oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
    const text = fc.string({ unit: codePoint.map((code) => String.fromCodePoint(code)) });
    const id = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.maxSafeInteger());
    const property = fc.property(id, text, fc.option(text, { nil: undefined }), (id, name, tag) => {
      const { body } = toSend({ id, name, tag });
      expect(/^\{"id":(-?\d+),/.exec(body)?.[1]).toBe(id.toString());
      expect(JSON.parse(body)).toEqual({ id: Number(id), name, tag });
    });
    fc.assert(property);
  });
});

describe('a plant that cannot be sent exactly is rejected, and nothing is sent', () => {
  const name = 'Fern';
  test.each<[string, unknown, typeof TypeError | typeof RangeError, RegExp]>([
    ['no plant', undefined, TypeError, /plant must be an object/],
    ['null', null, TypeError, /plant must be an object/],
    ['no id', { name }, TypeError, /id must be a bigint or a number; it is undefined\.$/],
    ['an id in a string', { id: '7', name }, TypeError, /id must be a bigint or a number; it is string\.$/],
    ['an unsafe number', { id: 9007199254740992, name }, RangeError, /beyond ±9007199254740991 a bigint/],
    ['a fraction', { id: 1.5, name }, RangeError, /id must be an integer/],
    ['NaN', { id: Number.NaN, name }, RangeError, /id must be an integer/],
    ['one above the maximum', { id: 9223372036854775808n, name }, RangeError, /to 9223372036854775807\.$/],
    ['one below the minimum', { id: -9223372036854775809n, name }, RangeError, /from -9223372036854775808 /],
    ['no name', { id: 1 }, TypeError, /name must be a string; it is undefined\.$/],
    ['a name of null', { id: 1, name: null }, TypeError, /name must be a string; it is null\.$/],
    ['a tag of null', { id: 1, name, tag: null }, TypeError, /tag must be a string; it is null\.$/],
    ['a tag that is a number', { id: 1, name, tag: 1 }, TypeError, /tag must be a string; it is number\.$/],
    ['a lone high surrogate', { id: 1, name: 'a\ud800b' }, RangeError, /name has half of a surrogate pair/],
    ['a lone low surrogate', { id: 1, name, tag: '\udc00' }, RangeError, /tag has half of a surrogate pair/],
  ])('%s', async (_, plant, kind, message) => {
    const fetch = vi.fn(async () => Response.error());
    const store = createPlantStore({ baseUrl: 'http://127.0.0.1', token: 't', fetch, maxAttempts: 1 });
    const refused = await store.createPlant(plant as NewPlant).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(kind);
    expect((refused as Error).message).toMatch(message);
    expect(fetch).not.toHaveBeenCalled();
  });
});
