import { afterEach, expect, test, vi } from 'vitest';
import { readBaseUrl, readToken } from './access-token-input.ts';

afterEach(() => vi.unstubAllEnvs());

test('an address may end with a slash, a query or a fragment', () => {
  expect(readBaseUrl('HTTP://A.example/my-plants/?y#z')).toBe('http://a.example/my-plants');
});

test.each([
  ['localhost:3000', '--url must be an address such as http://127.0.0.1:3000 '],
  ['https://a.example/prod/plants/?x', 'Give the address before /plants: --url https://a.example/prod'],
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
