import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, test, vi } from 'vitest';
import { BASE62 } from '../../contract/placeholders.ts';
import { startTestService } from '../../test/support/test-service.ts';
import { isToken } from './access-tokens.ts';

/** The value of a token's secret, 43 characters in Base62. */
function secretOf(token: string): bigint {
  return [...token.slice(-49, -6)].reduce((value, digit) => value * 62n + BigInt(BASE62.indexOf(digit)), 0n);
}

const service = await startTestService();
afterAll(() => service.close());

test('an issued token contains 32 bytes from the system’s random source', async () => {
  const source = vi.spyOn(crypto, 'randomBytes');
  syncBuiltinESMExports();
  const { token } = await service.admin.issue('bytes');
  const drawn = source.mock.results.map(({ value }) => (value as Buffer).toString('hex'));
  source.mockRestore();
  syncBuiltinESMExports();
  // The SDK and the store use random bytes too.
  expect(drawn).toContain(secretOf(token).toString(16).padStart(64, '0'));
});

test('a name may have two valid tokens, for a rotation; a third is refused until one is revoked', async () => {
  const { admin } = service;
  const { issued } = await admin.issue('ci');
  await admin.issue('ci');
  await expect(admin.issue('ci')).rejects.toThrow(
    /^ci already has 2 valid tokens \([0-9a-f]{8} and [0-9a-f]{8}\); /,
  );
  await admin.revoke(issued);
  await admin.issue('ci');
});

test.each(['Infinity', Number.POSITIVE_INFINITY, Number.NaN, undefined])(
  'an item that expires at %s is no token: the function refuses it',
  (expires) => {
    expect(isToken({ digest: 'any', name: 'ci', expires })).toBe(false);
  },
);
