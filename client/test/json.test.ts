import { expect, test } from 'vitest';
import { confirms, copyOf, exactJson, parseExact } from '../src/json.ts';

test('lists and objects are sent with exact numbers, and without what is undefined', () => {
  const value = { a: [9223372036854775807n, 7, 149.9, -0, 'x'], b: { 'c"': true, d: null }, e: undefined };
  expect(exactJson('p', value)).toBe('{"a":[9223372036854775807,7,149.9,0,"x"],"b":{"c\\"":true,"d":null}}');
});

test('a double may be larger than any integer that a number holds, wherever the model has one', () => {
  const value = { a: [2 ** 53, 1e300], b: { x: -1e20, y: 0.1 }, c: 1 };
  expect(exactJson('p', value, { a: [true], b: { x: true } })).toBe(
    '{"a":[9.007199254740992e+15,1e+300],"b":{"x":-1e+20,"y":0.1},"c":1}',
  );
  expect(() => exactJson('p', value, { a: [true] })).toThrow('p.b.x must be a finite number');
  expect(() => exactJson('p', { a: Infinity, c: [1] }, { a: true, c: true })).toThrow('p.a must be');
  expect(exactJson('p', { c: [1] }, { c: true })).toBe('{"c":[1]}');
});

test.each<[value: unknown, kind: ErrorConstructor, message: string]>([
  [Number.NaN, RangeError, 'p must be a finite number'],
  [
    { a: [1, 2 ** 53] },
    RangeError,
    'p.a[1] must be a finite number, and beyond ±9007199254740991 a bigint; ',
  ],
  [2n ** 63n, RangeError, 'p must be an int64: from -9223372036854775808 to 9223372036854775807.'],
  [-(2n ** 63n) - 1n, RangeError, 'p must be an int64'],
  [[{ b: '\ud800' }], RangeError, 'p[0].b has half of a surrogate pair'],
  [new Array(1), TypeError, 'p[0] must be a value of JSON; it is undefined.'],
])('%o, which would change, is refused', (value, kind, message) => {
  expect(() => exactJson('p', value)).toThrow(kind);
  expect(() => exactJson('p', value)).toThrow(message);
});

test.each([
  [{ a: [{ b: 1 }], c: null, x: 4 }, { a: [{ b: 1, later: 2 }], c: null, later: 3 }, true],
  [{ a: 9007199254740993n, b: undefined }, { a: 9007199254740993n, b: 1 }, true],
  [{ a: 7n }, { a: 7 }, true],
  [{ a: 9007199254740993n }, { a: 2 ** 53 }, false],
  [{ a: 7n }, { a: '7' }, false],
  [{ a: [1, 2] }, { a: [2, 1] }, false],
  [{ a: [1] }, { a: [1, 2] }, false],
  [{ a: [] }, { a: {} }, false],
  [{ a: { b: 1 } }, { a: null }, false],
  [{ a: 1 }, { a: '1' }, false],
])('%o, received as %o, is confirmed: %s', (sent, received, expected) => {
  expect(confirms(received, sent)).toBe(expected);
});

test('what is received keeps the digits of integers that a number cannot hold, and every text as it is', () => {
  const text = String.raw`{"a":9007199254740993,"b":[-9223372036854775808,1,"i1","s","\u00697","9007199254740993\"",1.5],"i":{"9007199254740993" : 9007199254740991},"s":null,"e":1e300}`;
  expect(parseExact(text)).toEqual({
    a: 9007199254740993n,
    b: [-9223372036854775808n, 1, 'i1', 's', 'i7', '9007199254740993"', 1.5],
    i: { '9007199254740993': 9007199254740991 },
    s: null,
    e: 1e300,
  });
});

test.each(['{"a":00000000000000001}', '{"a":9007199254740993', '{9007199254740993:1}'])(
  '%s is no JSON',
  (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
  },
);

test('a copy does not change with the values, at any depth', () => {
  const values = { id: 1n, stops: [{ city: 'Rome' }] };
  const [flat, deep] = [copyOf({ id: 1n }), copyOf(values)];
  Object.assign(values.stops[0] ?? {}, { city: 'Oslo' });
  expect([flat, deep]).toEqual([{ id: 1n }, { id: 1n, stops: [{ city: 'Rome' }] }]);
});
