import crypto, { randomInt } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { BASE62 } from '../../contract/placeholders.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { AccessTokenAdmin } from '../../operate/access-tokens/access-token-admin.ts';
import { startTestService } from '../support/test-service.ts';

/** The value of a token's secret, 43 characters in Base62. */
function secretOf(token: string): bigint {
  return [...token.slice(-49, -6)].reduce((value, digit) => value * 62n + BigInt(BASE62.indexOf(digit)), 0n);
}

const service = await startTestService();
afterAll(() => service.close());

describe('an issued token contains 256 random bits', () => {
  test('they are 32 bytes from the system’s random source', async () => {
    const source = vi.spyOn(crypto, 'randomBytes');
    syncBuiltinESMExports();
    const { token } = await service.admin.issue('bytes');
    const drawn = source.mock.results.map(({ value }) => (value as Buffer).toString('hex'));
    source.mockRestore();
    syncBuiltinESMExports();
    // The SDK and the store use random bytes too.
    expect(drawn).toContain(secretOf(token).toString(16).padStart(64, '0'));
  });

  test('no token is issued twice', async () => {
    const tokens = [await service.admin.issue('one'), await service.admin.issue('another')];
    const [first, second] = tokens.map(({ token }) => token);
    for (const token of [first, second]) expect(token).toMatch(/^plants_[0-9A-Za-z]{49}$/);
    expect(first).not.toBe(second);
  });
});

test('a name may have two valid tokens, for a rotation; a third is refused until one is revoked', async () => {
  const { admin } = service;
  const { issued } = await admin.issue('ci');
  await admin.issue('ci');
  await expect(admin.issue('ci')).rejects.toThrow(
    /^ci already has 2 valid tokens \([0-9a-f]{8} and [0-9a-f]{8}\); /,
  );
  // One digit too few.
  await expect(admin.revoke(issued.digest.slice(0, 7))).rejects.toThrow('No token has the id');
  await admin.revoke(issued.digest.slice(0, 8));
  await admin.issue('ci');
  expect(await admin.revokeAll('ci')).toHaveLength(2);
  expect((await admin.list()).tokens.filter(({ name }) => name === 'ci')).toEqual([]);
});

test('at most two of the tokens that are issued at the same time for one name are valid, and of two both', async () => {
  /** An admin whose calls each wait a moment, so that those of several admins come in any order. */
  function slowAdmin(): AccessTokenAdmin {
    const client = DynamoDBDocumentClient.from(service.client);
    client.middlewareStack.add(
      (next) => async (args) => {
        await pause(randomInt(15));
        return next(args);
      },
      { step: 'initialize' },
    );
    return new AccessTokenAdmin(client, LOCAL_TABLES.accessTokens);
  }
  for (const count of [2, 3, 3, 4]) {
    const name = `at-once-${randomInt(1e9)}`;
    const issuing = Array.from({ length: count }, () => slowAdmin().issue(name));
    const results = await Promise.allSettled(issuing);
    const returned = results.flatMap((each) =>
      each.status === 'fulfilled' ? [each.value.issued.digest] : [],
    );
    const { tokens } = await service.admin.list();
    const valid = tokens.filter((issued) => issued.name === name).map(({ digest }) => digest);
    expect(valid.sort()).toEqual(returned.sort());
    // Of more, each may see the others' before they are withdrawn, and be refused.
    expect(valid.length).toBeLessThanOrEqual(2);
    if (count === 2) expect(valid.length).toBe(2);
  }
});

test('an unknown name and an unknown id are refused', async () => {
  const { admin } = service;
  await expect(admin.revoke('00000000')).rejects.toThrow('No token has the id "00000000"');
  await expect(admin.revokeAll('nobody')).rejects.toThrow('No token has the name "nobody"');
});
