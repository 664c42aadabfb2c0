import { expect, test, vi } from 'vitest';
import { readToken } from './access-token-input.ts';

test.each(['eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl-_', 'AbC123+/~==', ' trimmed\n'])(
  '%j is read as an access token',
  async (given) => {
    vi.stubEnv('PLANT_STORE_TOKEN', given);
    expect(await readToken()).toBe(given.trim());
  },
);

test('a command may print the token, also from standard input, and its failure is told without what it printed', async () => {
  expect(await readToken('echo eyJ.e30.c2ln; echo more')).toBe('eyJ.e30.c2ln');
  await expect(readToken('echo secret; exit 3')).rejects.toThrow(
    /^The command of --token-command failed \(exit code 3\)\.$/,
  );
  await expect(readToken('true')).rejects.toThrow(/^The command of --token-command printed nothing\.$/);
});

test.each([`plants_${'0'.repeat(49)}`, 'a b', 'a=b'])('%j is no access token', async (given) => {
  vi.stubEnv('PLANT_STORE_TOKEN', given);
  await expect(readToken()).rejects.toThrow(/^This is not an access token\. /);
});
