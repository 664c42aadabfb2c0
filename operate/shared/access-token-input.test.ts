import { afterEach, expect, test, vi } from 'vitest';
import { readBaseUrl, readToken } from './access-token-input.ts';

afterEach(() => vi.unstubAllEnvs());

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

test.each(['eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl-_', 'AbC123+/~==', ' trimmed\n'])(
  '%j is read as an access token',
  async (given) => {
    vi.stubEnv('PLANT_STORE_TOKEN', given);
    expect(await readToken()).toBe(given.trim());
  },
);

test.each([`plants_${'0'.repeat(49)}`, 'a b', 'a=b'])('%j is no access token', async (given) => {
  vi.stubEnv('PLANT_STORE_TOKEN', given);
  await expect(readToken()).rejects.toThrow(/^This is not an access token\. /);
});
