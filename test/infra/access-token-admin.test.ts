import crypto, { randomInt } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test, vi } from 'vitest';
import { AccessTokenAdmin } from '../../commands/shared/access-token-admin.ts';
import { isToken } from '../../commands/shared/issued-token.ts';
import { BASE62 } from '../../contract/placeholders.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { startTestService } from '../support/test-service.ts';

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
  // One digit too few.
  await expect(admin.revoke(issued.digest.slice(0, 7))).rejects.toThrow('No token has the id');
  await admin.revoke(issued.digest.slice(0, 8));
  await admin.issue('ci');
  expect(await admin.revokeAll('ci')).toHaveLength(2);
  expect((await admin.list()).tokens.filter(({ name }) => name === 'ci')).toEqual([]);
});

/** An admin that does something before each of its calls. */
function adminThat(acts: (command: string) => unknown): AccessTokenAdmin {
  const client = DynamoDBDocumentClient.from(service.client);
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        await acts(commandName);
        return next(args);
      },
    { step: 'initialize' },
  );
  return new AccessTokenAdmin(client, LOCAL_TABLES.accessTokens);
}

/** The digests of the valid tokens of a name. */
const validOf = async (name: string) =>
  (await service.admin.list()).tokens.filter((issued) => issued.name === name).map(({ digest }) => digest);

test('at most two of the tokens that are issued at the same time for one name are valid, and of two both', async () => {
  for (const count of [2, 3, 4]) {
    const name = `at-once-${count}`;
    // Each call waits a moment, so that those of several admins come in any order.
    const issuing = Array.from({ length: count }, () => adminThat(() => pause(randomInt(15))).issue(name));
    const results = await Promise.allSettled(issuing);
    const returned = results.flatMap((each) =>
      each.status === 'fulfilled' ? [each.value.issued.digest] : [],
    );
    expect((await validOf(name)).sort()).toEqual(returned.sort());
    // Of more, each may see the others' before they are withdrawn, and be refused.
    expect(returned.length).toBeLessThanOrEqual(2);
    if (count === 2) expect(returned.length).toBe(2);
  }
});

test.each([
  ['looks for others', /Scan/, false],
  ['stores the token', /Put/, true],
])('if issuing is interrupted while it %s, no token stays', async (_, during, isStored) => {
  const stop = new AbortController();
  const made: string[] = [];
  const admin = adminThat((command) => {
    made.push(command);
    if (during.test(command)) stop.abort();
  });
  await expect(admin.issue('interrupted', 1, stop.signal)).rejects.toThrow('aborted');
  expect(made.some((command) => command.startsWith('Put'))).toBe(isStored);
  expect(await validOf('interrupted')).toEqual([]);
});

test.each(['Infinity', Number.POSITIVE_INFINITY, Number.NaN, undefined])(
  'an item that expires at %s is no token: the function refuses it',
  (expires) => {
    expect(isToken({ digest: 'any', name: 'ci', expires })).toBe(false);
  },
);

test('an unknown name and an unknown id are refused', async () => {
  const { admin } = service;
  await expect(admin.revoke('00000000')).rejects.toThrow('No token has the id "00000000"');
  await expect(admin.revokeAll('nobody')).rejects.toThrow('No token has the name "nobody"');
});
