import { describe, expect, test } from 'vitest';
import { newPlant, parseInt64 } from '../../../lambda/request/plant.ts';

describe('a JSON number literal becomes an int64 exactly', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['0.000', 0n],
    ['0e999999999999', 0n],
    ['1.0', 1n],
    ['1e3', 1000n],
    ['100e-2', 1n],
    ['0.00012E4', undefined],
    ['0.00012E5', 12n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['9.223372036854775807e18', 9223372036854775807n],
    ['92233720368547758070e-1', 9223372036854775807n],
    ['0.00000000000000000001e20', 1n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('%s', (literal, value) => {
    expect(parseInt64(literal)).toBe(value ?? 'fraction');
  });

  test.each(['1.5', '1e-1', '0.1', '12345e-6', '1e-99999999999999999999', '9223372036854775807.5'])(
    '%s is a fraction',
    (literal) => {
      expect(parseInt64(literal)).toBe('fraction');
    },
  );

  test.each(['9223372036854775808', '-9223372036854775809', '1e19', '1e400', '1e99999999999999999999'])(
    '%s is out of range',
    (literal) => {
      expect(parseInt64(literal)).toBe('range');
    },
  );
});

test('the message says that the id is missing', () => {
  const message = 'id is missing; it must be an integer.';
  expect(() => newPlant(new Map())).toThrow(expect.objectContaining({ message }));
});
