import { expect, test } from 'vitest';
import { PlainError } from '../../cli/plain-error.ts';
import { keyLike } from '../../contract/key-like.ts';

test.each<[example: string, pattern: string | undefined, ids: object]>([
  [
    'SHP-00012345',
    '^SHP-\\d{8}$',
    { 7: 'SHP-00000007', '-1': 'SHP-99999999', 9007199254740993: 'SHP-54740992' },
  ],
  // Neither the first digit of a ULID nor the version of this UUID may be any.
  [
    '01J9Z3K4M5N6P7Q8R9S0T1V2W3',
    '^[0-7][0-9A-HJKMNP-TV-Z]{25}$',
    { 123456789: '00J0Z0K0M1N2P3Q4R5S6T7V8W9' },
  ],
  [
    '019a2f3e-7c1d-7b52-8a44-3f2b1c0d9e8f',
    '^[\\da-f]{8}-[\\da-f]{4}-7[\\da-f]{3}-[89ab][\\da-f]{3}-[\\da-f]{12}$',
    { 'x-1': 'x-1' },
  ],
  ['order 0000 0001', undefined, { 12345678: 'order 1234 5678' }],
])('ids like %s are numbered by their digits', (example, pattern, ids) => {
  const { isNumber, idOf, idJson, reserved } = keyLike({
    type: 'string',
    ...(pattern && { pattern }),
    examples: [example],
  });
  expect(isNumber).toBe(false);
  for (const [number, id] of Object.entries(ids))
    expect([number, idOf(number), idJson(number)]).toEqual([number, id, `"${id}"`]);
  for (const n of [0n, 999_999n, reserved.first, reserved.first + reserved.count - 1n])
    if (pattern) expect(idOf(n)).toMatch(new RegExp(pattern, 'u'));
  expect(idOf(reserved.first).replace(/\D/g, '')).toContain('9');
});

test('a text that no id is is known of every key', () => {
  const noId = (keywords: object) => keyLike({ type: 'string', examples: ['a:00012345'], ...keywords }).noId;
  expect(noId({ pattern: '^a:\\d{8}$', maxLength: 10 })).toBe('x');
  expect(noId({ pattern: '^[0-9a-z:]+$', maxLength: 10 })).toBe('!');
  expect(noId({ pattern: '^.+$', maxLength: 10 })).toBe('xxxxxxxxxxx');
});

test.each([
  [
    { type: 'string', pattern: '^SHP-1\\d{7}$', examples: ['SHP-10000000'] },
    "the first example of NewPlant's id, SHP-10000000, needs 8 digits that may be any digit: tests number their ids by them.",
  ],
  [
    { type: 'string', pattern: '(' },
    "the pattern of NewPlant's id: Invalid regular expression: /(/u: Unterminated group.",
  ],
  [undefined, 'NewPlant needs the property id, the key of the table.'],
])('what is no key is refused: %j', (schema, problem) => {
  expect(() => keyLike(schema)).toThrow(new PlainError(`contract/openapi.yaml: ${problem}`));
});
