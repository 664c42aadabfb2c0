import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { isTokenFormat } from '../../lambda/request/token-format.ts';
import { documentClient } from '../../lambda/store/store.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { AccessTokenAdmin } from '../../tools/access-token-admin.ts';
import { startSource } from '../support/function-under-test.ts';
import { ScriptedStore } from '../support/scripted-store.ts';
import { errorOf, plantEvent, startTestService } from '../support/test-service.ts';
import { FAULTS } from '../trials/faults/faults.ts';
import { digestForms, refusedTokens } from './refused-tokens.ts';

const BODY = '{"id":1,"name":"Intruder"}';

describe('requests without a valid token are refused', async () => {
  let now = Date.now();
  const service = await startTestService({ now: () => now });
  afterAll(() => service.close());

  const numberFor = async (token: string) => errorOf(await service.handler(plantEvent(token, BODY)));
  const plants = async () =>
    (await service.client.send(new ScanCommand({ TableName: LOCAL_TABLES.plants, ConsistentRead: true })))
      .Count;

  test('more than a thousand malformed, foreign and nearly valid tokens are refused', async () => {
    const tokens = refusedTokens(service.token);
    expect(tokens.length).toBeGreaterThan(1_000);
    expect(tokens.filter(isTokenFormat).length).toBeGreaterThan(300);
    const letIn: string[] = [];
    for (const token of tokens) if ((await numberFor(token)) !== 40102) letIn.push(token);
    expect(letIn).toEqual([]);
    expect(await plants()).toBe(0);
  });

  test('the contents of the token table are not accepted as tokens', async () => {
    const items = await service.client.send(new ScanCommand({ TableName: LOCAL_TABLES.accessTokens }));
    const kept = (items.Items ?? []).flatMap((item) =>
      Object.values(item).map((value) => value.S ?? value.N ?? ''),
    );
    expect(kept).toContain(digestForms(service.token)[0]);
    for (const text of [...kept, ...digestForms(service.token)])
      expect(await numberFor(text), text).toBe(40102);
  });

  test('fifty expired and fifty revoked tokens are refused, used before or not', async () => {
    const before = now;
    for (let count = 0; count < 50; count += 1) {
      const expired = await service.admin.issue(`expired-${count}`, 1);
      const revoked = await service.admin.issue(`revoked-${count}`);
      if (count % 2) {
        const used = await service.handler(plantEvent(expired.token, '{"id":2,"name":"Guest"}'));
        expect(used.statusCode).toBe(200);
        await service.handler(plantEvent(revoked.token, '{"id":2,"name":"Guest"}'));
      }
      await service.admin.revoke(revoked.issued.digest);
      now += 60_000;
      expect(await numberFor(revoked.token)).toBe(40102);
      now = expired.issued.expires * 1000 - 1;
      expect((await service.handler(plantEvent(expired.token, '{"id":2,"name":"Guest"}'))).statusCode).toBe(
        200,
      );
      now += 1;
      expect(await numberFor(expired.token)).toBe(40102);
    }
    now = before;
  });

  test('the answer is the same for a malformed, an unknown and an expired token', async () => {
    const bodies = new Set<string>();
    const expired = await new AccessTokenAdmin(
      DynamoDBDocumentClient.from(service.client),
      LOCAL_TABLES.accessTokens,
      () => now - 100 * 86_400_000,
    ).issue('long-ago', 1);
    for (const token of [...refusedTokens(service.token).slice(0, 50), expired.token])
      bodies.add((await service.handler(plantEvent(token, BODY))).body);
    expect(bodies.size).toBe(1);
  });
});

describe('no token is accepted while the token table fails', async () => {
  const service = await startTestService();
  afterAll(() => service.close());
  const tokens = [service.token, ...refusedTokens(service.token).filter(isTokenFormat).slice(0, 2)];

  const faults = FAULTS.filter(({ kind, name }) => kind !== 'harmless' && !/hang|drips|after/.test(name));
  test.concurrent.each(faults)('$name', async ({ act }) => {
    const proxy = await ScriptedStore.start({ store: service.store.endpoint });
    const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint });
    const { handler } = startSource(client);
    for (const token of tokens) {
      await proxy.play({ GetItem: [act, act, act] });
      expect(errorOf(await handler(plantEvent(token, BODY)))).toBeOneOf([50301, 42901, 50001]);
      expect(proxy.attempts.PutItem).toBe(0);
    }
    client.destroy();
    await proxy.close();
  });
});
