import { describe, expect, test } from 'vitest';
import { newPlant, parseInt64 } from '../../../lambda/request/new-plant.ts';

// The groups "ids" and "names and tags" of contract/cases.yaml test what is accepted.

describe('a JSON number literal becomes an int64 exactly', () => {
  test.each([
    ['-0', 0n],
    ['0e999999999999', 0n],
    ['1e3', 1000n],
    ['100e-2', 1n],
    ['0.00012E4', 'fraction'],
    ['0.00012E5', 12n],
    ['9.223372036854775807e18', 9223372036854775807n],
    ['92233720368547758070e-1', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775807.5', 'fraction'],
    ['1e-99999999999999999999', 'fraction'],
    ['9223372036854775808', 'range'],
    ['-9223372036854775809', 'range'],
    ['1e99999999999999999999', 'range'],
  ])('%s: %s', (literal, value) => {
    expect(parseInt64(literal)).toBe(value);
  });
});

test.each([
  [{}, 'id is missing; it must be an integer.'],
  [{ id: '"1"' }, 'id must be an integer, as a JSON number.'],
  [{ id: '0'.repeat(129) }, 'id must be an integer written in at most 128 characters.'],
  [{ id: '1.5' }, 'id must be an integer, without a fraction.'],
  [{ id: '1e19' }, 'id must be an int64: an integer from -9223372036854775808 to 9223372036854775807.'],
  [{ id: '1' }, 'name is missing; it must be a string.'],
  [{ id: '1', name: '""', tag: 'null' }, 'tag must be a string.'],
  [{ id: '1', name: '"\\ud800"' }, 'name must be Unicode text; it contains an unpaired surrogate.'],
])('the message says what is wrong: %j', (properties, message) => {
  const failure = expect.objectContaining({ message, published: expect.objectContaining({ error: 40002 }) });
  expect(() => newPlant(new Map(Object.entries(properties)))).toThrow(failure);
});
