import { DynamoDBDocumentClient, type GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatToken } from '../../../lambda/request/token-format.ts';
import { AccessTokenTable, tokenDigest } from '../../../lambda/store/access-token-table.ts';
import { documentClient } from '../../../lambda/store/store.ts';
import { type EmbeddedStore, startEmbeddedStore } from '../../../local/embedded-store.ts';
import { LOCAL_TABLES } from '../../../local/tables.ts';
import { AccessTokenAdmin } from '../../../tools/access-token-admin.ts';
import { KNOWN_TOKEN, ok } from '../../support/acts.ts';
import { ScriptedStore } from '../../support/scripted-store.ts';
import { errorOf, plantEvent, startTestService, type TestService } from '../../support/test-service.ts';

const { signal } = new AbortController();

describe('which tokens are accepted', () => {
  let now = Date.now();
  let store: EmbeddedStore;
  let service: TestService;
  beforeAll(async () => {
    store = await startEmbeddedStore({ accessKeyId: 'local' });
    service = await startTestService({ store, now: () => now });
  });
  afterAll(() => service.close());
  const post = (token: string) => service.handler(plantEvent(token, '{"id":1,"name":"Fern"}'));

  test('a new token is accepted at once, even if it was refused before it was issued', async () => {
    const { token } = await service.admin.issue('new');
    expect((await post(token)).statusCode).toBe(200);
  });

  test('a revoked token is refused within a minute', async () => {
    const { token, issued } = await service.admin.issue('leaver');
    await post(token);
    await service.admin.revoke(issued.digest);
    now += 59_999;
    expect((await post(token)).statusCode).toBe(200);
    now += 2;
    expect(errorOf(await post(token))).toBe(40102);
  });

  test('a revoked token is refused within a minute even if the clock is set back, by an hour or by seconds', async () => {
    let elapsed = 0;
    const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: store.endpoint });
    const table = new AccessTokenTable(client, LOCAL_TABLES.accessTokens, {
      now: () => now,
      elapsed: () => elapsed,
    });
    for (const [step, pause] of [
      [-3_600_000, 1],
      [-1, 1],
      // The minute is over, but the clock was set back by 50 s during it.
      [10_000, 60_001],
    ] as const) {
      const { token, issued } = await service.admin.issue('bad-times');
      expect(await table.find(token, signal)).toBe('bad-times');
      await service.admin.revoke(issued.digest);
      now += step;
      elapsed += pause;
      await expect(table.find(token, signal)).rejects.toMatchObject({ published: { error: 40102 } });
    }
    client.destroy();
  });

  test('a cached token still expires on time', async () => {
    const { token, issued } = await service.admin.issue('brief', 1);
    now = issued.expires * 1000 - 1;
    expect((await post(token)).statusCode).toBe(200);
    now += 1;
    expect(errorOf(await post(token))).toBe(40102);
  });

  test.each([[{ expires: 4_000_000_000 }], [{ name: 'odd' }], [{ name: 'odd', expires: 'never' }]])(
    'an item that is not a token’s is not accepted: %j',
    async (attributes) => {
      const token = formatToken(new Uint8Array(32).fill(9));
      const put = new PutCommand({
        TableName: LOCAL_TABLES.accessTokens,
        Item: { digest: tokenDigest(token), ...attributes },
      });
      await DynamoDBDocumentClient.from(service.client).send(put);
      expect(errorOf(await post(token))).toBe(40102);
    },
  );

  test.each(['NaN', 'Infinity', '1e999', '', 'soon'])(
    'a token with the expiry "%s" is refused',
    async (expires) => {
      const stub = await ScriptedStore.start({
        script: { GetItem: [ok({ Item: { name: { S: 'odd' }, expires: { N: expires } } })] },
      });
      const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: stub.endpoint });
      const found = new AccessTokenTable(client, 'AccessTokens').find('token', signal);
      await expect(found).rejects.toMatchObject({ published: { error: 40102 } });
      client.destroy();
      await stub.close();
    },
  );

  test('the table contains digests, never a token', async () => {
    const admin = new AccessTokenAdmin(
      DynamoDBDocumentClient.from(service.client),
      LOCAL_TABLES.accessTokens,
    );
    const { token } = await admin.issue('digest');
    const listed = JSON.stringify(await admin.list());
    expect(listed).toContain(tokenDigest(token));
    expect(listed).not.toContain(token);
  });
});

describe('how often the table is read', () => {
  let stub: ScriptedStore;
  beforeEach(async () => {
    stub = await ScriptedStore.start();
  });
  afterEach(() => stub.close());
  const tokens = () =>
    new AccessTokenTable(documentClient({ AWS_ENDPOINT_URL_DYNAMODB: stub.endpoint }), 'AccessTokens');
  test('once for a token in use', async () => {
    const accessTokens = tokens();
    for (let n = 0; n < 5; n += 1) expect(await accessTokens.find('token', signal)).toBe('ci');
    expect(stub.attempts.GetItem).toBe(1);
  });

  test('each time for an unknown token', async () => {
    await stub.close();
    stub = await ScriptedStore.start({ script: { GetItem: [{ status: 200, body: '{}' }, KNOWN_TOKEN] } });
    const accessTokens = tokens();
    await expect(accessTokens.find('token', signal)).rejects.toMatchObject({ published: { error: 40102 } });
    expect(await accessTokens.find('token', signal)).toBe('ci');
  });
});

describe('the cache', () => {
  let now = 0;
  let uptime = 0;
  beforeEach(() => {
    [now, uptime] = [0, 100];
    vi.spyOn(process, 'uptime').mockImplementation(() => uptime);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** A table whose reads are recorded, where every token is found. */
  function tableOverMemory() {
    const reads: GetCommand['input'][] = [];
    const send = async ({ input }: GetCommand) => {
      reads.push(input);
      return { Item: { name: 'ci', expires: 4_000_000_000 } };
    };
    const client = { send } as unknown as DynamoDBDocumentClient;
    return { reads, table: new AccessTokenTable(client, 'AccessTokens', { now: () => now }) };
  }

  test('an entry is read consistently, and again after a minute by either clock', async () => {
    const { reads, table } = tableOverMemory();
    await table.find('token', signal);
    await table.find('token', signal);
    [now, uptime] = [59_999, 159.999];
    await table.find('token', signal);
    expect(reads).toEqual([
      { TableName: 'AccessTokens', Key: { digest: tokenDigest('token') }, ConsistentRead: true },
    ]);
    uptime = 160;
    await table.find('token', signal);
    expect(reads).toHaveLength(2);
    now += 60_000;
    await table.find('token', signal);
    expect(reads).toHaveLength(3);
  });

  test('a thousand tokens are cached; the next one replaces the oldest', async () => {
    const { reads, table } = tableOverMemory();
    for (let n = 0; n < 1000; n += 1) await table.find(`${n}`, signal);
    await table.find('0', signal);
    expect(reads).toHaveLength(1000);
    await table.find('1000', signal);
    await table.find('1', signal);
    expect(reads).toHaveLength(1001);
    await table.find('0', signal);
    expect(reads).toHaveLength(1002);
    // Read again, 3 is no longer the oldest but one.
    now = 60_000;
    for (const token of ['3', '1001', '1002', '3']) await table.find(token, signal);
    expect(reads).toHaveLength(1005);
  });
});
