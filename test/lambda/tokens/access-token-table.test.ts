import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { withChecksum } from '../../../contract/tokens.ts';
import { AccessTokenTable } from '../../../lambda/tokens/access-token-table.ts';
import { formatToken } from '../../../lambda/tokens/token-format.ts';
import { overScript } from '../../support/function-under-test.ts';
import { ok } from '../../support/store-behaviors.ts';

// The group "access tokens" of contract/cases/create-plant.yaml uses a real table.

const calls = new AbortController();
const tokenOf = (n: number) => formatToken(Uint8Array.of(n >> 8, n & 255));
const TOKEN = withChecksum(`plants_${'0'.repeat(42)}1`);
const UNKNOWN = { published: { error: 40102 }, fault: 'unknown token' };
const EXPIRED = { published: { error: 40102 }, fault: 'expired token' };

describe('an item that is not a token’s is refused', () => {
  const name = { S: 'odd' };
  test.each([
    [{ expires: { N: '4000000000' } }, UNKNOWN],
    [{ name, expires: { S: 'never' } }, UNKNOWN],
    ...['Infinity', '1e30', '4000000000.5'].map((N): [object, object] => [{ name, expires: { N } }, UNKNOWN]),
    // The SDK reads it as 0.
    [{ name, expires: { N: '' } }, EXPIRED],
    // lib-dynamodb cannot read it.
    [{ name: { X: 7 } }, { published: { error: 50301 }, fault: 'damaged response' }],
  ])('%j', async (Item, refusal) => {
    const found = overScript({ GetItem: [ok({ Item })] }, (client) =>
      new AccessTokenTable(client, 'AccessTokens').find(TOKEN, calls),
    );
    await expect(found).rejects.toMatchObject(refusal);
  });
});

describe('the cache', () => {
  let now = 0;
  let readMs = 0;
  /** Of the process, in seconds. */
  let uptime = 0;
  let item: object | undefined;
  let reads: GetCommand['input'][];
  let table: AccessTokenTable;
  beforeEach(() => {
    [now, readMs, uptime, reads] = [0, 0, 100, []];
    item = { name: 'ci', expires: { digits: '4000000000' } };
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    vi.spyOn(process, 'uptime').mockImplementation(() => uptime);
    const send = async ({ input }: GetCommand) => {
      reads.push(input);
      now += readMs;
      return { Item: item };
    };
    table = new AccessTokenTable({ send } as unknown as DynamoDBDocumentClient, 'AccessTokens');
  });
  const find = (token = TOKEN) => table.find(token, calls);

  test('a token is read consistently, and again after a minute by either clock', async () => {
    expect(await find()).toBe('ci');
    [now, uptime] = [59_999, 159.999];
    expect(await find()).toBe('ci');
    const digest = createHash('sha256').update(TOKEN).digest('hex');
    expect(reads).toEqual([{ TableName: 'AccessTokens', Key: { digest }, ConsistentRead: true }]);
    uptime = 160;
    await find();
    expect(reads).toHaveLength(2);
    now += 60_000;
    await find();
    expect(reads).toHaveLength(3);
  });

  test.each([
    ['by an hour', -3_600_000, 0.001],
    ['during a minute', 10_000, 60.001],
  ])('a revoked token is refused if the clock is set back %s', async (_, step, pause) => {
    await find();
    item = undefined;
    now += step;
    uptime += pause;
    await expect(find()).rejects.toMatchObject(UNKNOWN);
  });

  test('the minute begins before the read, because a token may be revoked while its response comes', async () => {
    readMs = 900;
    await find();
    item = undefined;
    now = 60_000;
    await expect(find()).rejects.toMatchObject(UNKNOWN);
  });

  test('a cached token still expires on time', async () => {
    item = { name: 'brief', expires: { digits: '30' } };
    await find();
    now = 29_999;
    expect(await find()).toBe('brief');
    now = 30_000;
    await expect(find()).rejects.toMatchObject(EXPIRED);
    expect(reads).toHaveLength(1);
  });

  test('an unknown token is not cached, so it is accepted as soon as it is issued', async () => {
    const issued = item;
    item = undefined;
    await expect(find()).rejects.toMatchObject(UNKNOWN);
    item = issued;
    expect(await find()).toBe('ci');
  });

  test('a thousand tokens are cached; the next one replaces the oldest', async () => {
    for (let n = 0; n < 1000; n += 1) await find(tokenOf(n));
    await find(tokenOf(0));
    expect(reads).toHaveLength(1000);
    for (const n of [1000, 1]) await find(tokenOf(n));
    expect(reads).toHaveLength(1001);
    await find(tokenOf(0));
    expect(reads).toHaveLength(1002);
    // Reading token 3 again makes it the newest, so the two tokens after it do not replace it.
    now = 60_000;
    for (const n of [3, 1001, 1002, 3]) await find(tokenOf(n));
    expect(reads).toHaveLength(1005);
  });
});
