import { expect, test } from 'vitest';
import { readBaseUrl } from './base-url.ts';

test('an address may end with a slash', () => {
  expect(readBaseUrl('HTTP://A.example/my-plants/')).toBe('http://a.example/my-plants');
});

test.each([
  ['localhost:3000', '--url must be a whole http or https URL, such as http://127.0.0.1:3000 or '],
  ['http://me:secret@a.example', /^[^@]* without a user name, query or fragment\.$/],
  ['http://a.example/?y', 'query'],
  ['https://a.example/prod/plants/', 'Give the address before /plants: --url https://a.example/prod'],
])('%s is no address of a service', (given, message) => {
  expect(() => readBaseUrl(given)).toThrow(message);
});
