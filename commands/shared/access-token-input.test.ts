import { afterEach, expect, test, vi } from 'vitest';
import { readBaseUrl, readToken } from './access-token-input.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['https://a.example/prod/', 'https://a.example/prod'],
  ['HTTP://A.example/prod/x/?y#z', 'http://a.example/prod/x'],
  ['https://plants.example/my-plants', 'https://plants.example/my-plants'],
])('the address %s is %s', (given, expected) => {
  expect(readBaseUrl(given)).toBe(expected);
});

test.each(['', 'foo', 'localhost:3000', 'ftp://a.example', 'xhttp://a.example', 'httpx://a.example'])(
  '"%s" is no address of a service',
  (given) => {
    expect(() => readBaseUrl(given)).toThrow(/^--url must be an address such as http:\/\/127\.0\.0\.1:3000 /);
  },
);

test.each([
  ['http://127.0.0.1:3000/plants', 'http://127.0.0.1:3000'],
  ['https://a.example/prod/plants/?x', 'https://a.example/prod'],
])('of %s, the address before /plants is asked for', (given, right) => {
  expect(() => readBaseUrl(given)).toThrow(`Give the address before /plants: --url ${right}`);
});

test.each(['eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl-_', 'AbC123+/~==', ' trimmed\n'])(
  '%j is read as an access token',
  async (given) => {
    vi.stubEnv('PLANT_STORE_TOKEN', given);
    expect(await readToken()).toBe(given.trim());
  },
);

test.each([`plants_${'0'.repeat(49)}`, 'a b', 'a,b', 'a=b', 'ä'])('%j is no access token', async (given) => {
  vi.stubEnv('PLANT_STORE_TOKEN', given);
  await expect(readToken()).rejects.toThrow(/^This is not an access token\. /);
});
