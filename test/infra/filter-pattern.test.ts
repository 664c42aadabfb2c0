import { expect, test } from 'vitest';
import { matches } from './filter-pattern.ts';

const line = JSON.stringify({ level: 'INFO', message: { outcome: 'failed', error: 50401 } });

test.each([
  ['{ $.message.outcome = "*" }', true],
  ['{ $.message.token = "*" }', false],
  ['{ $.message.outcome = "failed" }', true],
  ['{ $.message.outcome = "created" || $.message.outcome = "failed" }', true],
  ['{ $.message.outcome = "failed" && $.message.error != 50301 }', true],
  ['{ $.message.outcome = "failed" && $.message.error != 50401 }', false],
  ['{ $.message.error = 50401 }', true],
  ['{ $.message.missing != 50301 }', false],
  ['{ $.level != 1 }', false],
])('%s matches the line: %s', (pattern, expected) => {
  expect(matches(pattern, line)).toBe(expected);
});

test.each([`INFO ${line}`, '"text"'])('a line that is not a JSON object matches nothing: %s', (other) => {
  expect(matches('{ $.message.outcome = "*" }', other)).toBe(false);
});

test.each([
  'ERROR',
  '{ $.message.error >= 3 }',
  '{ $.message.error IS NULL }',
  '{ $.message.outcome = "fail*" }',
  '{ $.message.outcome != "failed" }',
  '{ $.a = 1 && $.b = 2 || $.c = 3 }',
  '{ ($.a = 1) }',
  '{ $.a[0] = 1 }',
])('unsupported syntax is an error, not a mismatch: %s', (pattern) => {
  expect(() => matches(pattern, line)).toThrow();
});
