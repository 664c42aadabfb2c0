import { expect, test } from 'vitest';
import { boolean, type Check, choice, decimal, integer, list, object, text } from '../src/checks.ts';
import { hasAll, toJson } from '../src/json.ts';

const contact = object({
  email: { check: text, required: true },
  phones: { check: list(integer), required: false },
});

test.each<[Check<unknown>, value: unknown, json: string]>([
  [boolean, false, 'false'],
  [decimal, 149.9, '149.9'],
  [decimal, -0, '0'],
  [choice('red', 'blue'), 'blue', '"blue"'],
  [list(text), ['a', '"'], '["a","\\""]'],
  [
    contact,
    { phones: [9223372036854775807n, 7], email: 'a', more: 1 },
    '{"email":"a","phones":[9223372036854775807,7]}',
  ],
  [contact, { email: 'a', phones: undefined }, '{"email":"a"}'],
])('%# a value is sent as it is: %s, %o', (check, value, json) => {
  expect(toJson(check('p', value))).toBe(json);
});

test.each<[Check<unknown>, value: unknown, message: string]>([
  [boolean, 'true', 'p must be true or false; it is string.'],
  [decimal, '1', 'p must be a number; it is string.'],
  [decimal, Number.NaN, 'p must be a finite number; it is NaN.'],
  [choice('red', 'blue'), 'Red', 'p must be one of ["red","blue"].'],
  [list(text), 'ab', 'p must be an array; it is string.'],
  [list(text), ['a', null], 'p[1] must be a string; it is null.'],
  [list(text), new Array(1), 'p[0] must be a string; it is undefined.'],
  [contact, null, 'p must be an object; it is null.'],
  [contact, {}, 'p.email must be a string; it is undefined.'],
  [list(contact), [{ email: 'a', phones: [1.5] }], 'p[0].phones[0] must be an integer, and beyond '],
])('%# what would change is refused: %s, %o', (check, value, message) => {
  expect(() => check('p', value)).toThrow(message);
});

test('a checked value is a copy, which its owner cannot change', () => {
  const phones = [1];
  const checked = contact('p', { email: 'a', phones });
  phones.push(2);
  expect(checked).toEqual({ email: 'a', phones: [1] });
});

test.each([
  [{ a: [{ b: 1 }], c: null }, { a: [{ b: 1, later: 2 }], c: null, later: 3 }, true],
  [{ a: [1, 2] }, { a: [2, 1] }, false],
  [{ a: [1] }, { a: [1, 2] }, false],
  [{ a: [] }, { a: {} }, false],
  [{ a: {} }, { a: [] }, false],
  [{ a: { b: 1 } }, { a: null }, false],
  [{ a: 1 }, { a: '1' }, false],
])('%j, received as %j, is the same: %s', (sent, received, isSame) => {
  expect(hasAll(received, sent)).toBe(isSame);
});
