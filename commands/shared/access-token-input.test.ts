import { expect, test, vi } from 'vitest';
import { readToken } from './access-token-input.ts';

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
