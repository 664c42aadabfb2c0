import { expect, test } from 'vitest';
import { isOwn } from './own-address.ts';

test.each([
  ['http://127.0.0.1:3000', true],
  ['http://localhost:3000', true],
  ['http://[::1]:3000', true],
  ['https://plants.example.com', false],
  ['https://localhost.example.com', false],
  ['https://127.0.0.1.example.com', false],
])('%s may be sent ids outside of the reserved range: %s', (baseUrl, expected) => {
  expect(isOwn(baseUrl)).toBe(expected);
});
