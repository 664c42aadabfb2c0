import { expect, test } from 'vitest';
import { isLoopback } from '../../lambda/loopback.ts';

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.127.0.1', false],
  ['localhost.example.com', false],
  ['127.0.0.1.example.com', false],
])('only this machine answers at %s: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
