import { expect, test, vi } from 'vitest';
import { acceptIdentityProvider } from '../../../lambda/tokens/identity-provider.ts';
import { formatToken } from '../../../lambda/tokens/token-format.ts';

const OURS = formatToken(new Uint8Array(32));
const table = { find: async (token: string) => `${token} of the table` };
const calls = new AbortController();

test('with a provider, the table is asked for our own tokens only', async () => {
  vi.stubEnv('IDENTITY_PROVIDER', '{"issuer":"https://login.example.com","audience":"plants"}');
  const finder = acceptIdentityProvider(() => table);
  expect(await finder.find(OURS, calls)).toBe(`${OURS} of the table`);
  await expect(finder.find('e30.e30', calls)).rejects.toMatchObject({ fault: 'cut token' });
});

test('without tokens of our own, the table is not even made', async () => {
  vi.stubEnv(
    'IDENTITY_PROVIDER',
    '{"issuer":"https://login.example.com","audience":"plants","ownTokens":false}',
  );
  const finder = acceptIdentityProvider(() => expect.fail('The table is made.'));
  await expect(finder.find(OURS, calls)).rejects.toMatchObject({ fault: 'opaque token' });
});

test.each([undefined, ''])('with %j in the place of one, the table is asked for all', (none) => {
  vi.stubEnv('IDENTITY_PROVIDER', none);
  expect(acceptIdentityProvider(() => table)).toBe(table);
});
