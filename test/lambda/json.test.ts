import { expect, test } from 'vitest';
import { jsonOf, NumberLiteral } from '../../lambda/json.ts';

test('what is undefined is left out of an object at every depth, as by JSON.stringify', () => {
  expect(jsonOf({ a: undefined, b: 1n, c: { d: undefined }, e: [{ f: undefined, g: 'x' }] })).toBe(
    '{"b":1,"c":{},"e":[{"g":"x"}]}',
  );
  expect(
    jsonOf(
      new Map([
        ['a', undefined],
        ['b', new NumberLiteral('1e3')],
      ] as const),
    ),
  ).toBe('{"b":1e3}');
});

test.each([
  ['NaN', NaN],
  ['Infinity', -Infinity],
  ['undefined', undefined],
  ['undefined', [undefined]],
  ['undefined', Array(1)],
  ['function', { a: () => 1 }],
  ['symbol', [Symbol('a')]],
])('what JSON.stringify would lose is refused: %s in %o', (_, value) => {
  expect(() => jsonOf(value)).toThrow(/^JSON has no (-?Infinity|NaN|undefined|function|symbol)\.$/);
});
