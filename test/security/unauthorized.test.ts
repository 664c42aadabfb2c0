import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { isTokenFormat } from '../../lambda/request/token-format.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { subjectInMemory } from '../fuzz/subject.ts';
import { tokenKinds } from '../support/contract-runner.ts';
import { errorOf, plantEvent, startTestService } from '../support/test-service.ts';
import { digestForms, refusedTokens } from './refused-tokens.ts';

const BODY = '{"id":1,"name":"Intruder"}';

test('more than a thousand malformed, foreign and nearly valid tokens are refused', async () => {
  const { token: valid, handler, stored } = subjectInMemory();
  const tokens = refusedTokens(valid);
  expect(tokens.length).toBeGreaterThan(1_000);
  expect(tokens.filter(isTokenFormat).length).toBeGreaterThan(300);
  const letIn: string[] = [];
  for (const token of tokens)
    if (errorOf(await handler(plantEvent(token, BODY))) !== 40102) letIn.push(token);
  expect(letIn).toEqual([]);
  expect(await stored('1')).toBeUndefined();
});

describe('over a real store', async () => {
  let now = Date.now();
  const service = await startTestService({ now: () => now });
  afterAll(() => service.close());
  const post = (token: string, body = BODY) => service.handler(plantEvent(token, body));

  test('malformed, unknown, expired and revoked tokens are refused with the same response', async () => {
    const { expired, revoked } = await tokenKinds(DynamoDBDocumentClient.from(service.client), service.token);
    const sample = refusedTokens(service.token).filter((_, index) => index % 20 === 0);
    const bodies = new Set<string>();
    for (const token of [...sample, expired, revoked]) bodies.add((await post(token)).body);
    expect([...bodies].map((body) => JSON.parse(body).error)).toEqual([40102]);
    expect(await service.item('1')).toBeUndefined();
  });

  test('the contents of the table of access tokens are not accepted as tokens', async () => {
    const { Items: items = [] } = await service.client.send(
      new ScanCommand({ TableName: LOCAL_TABLES.accessTokens }),
    );
    const kept = items.flatMap((item) => Object.values(item).map(({ S, N }) => S ?? N ?? ''));
    expect(kept).toContain(digestForms(service.token)[0]);
    for (const text of [...kept, ...digestForms(service.token)])
      expect(errorOf(await post(text)), text).toBe(40102);
  });

  test.each(['used', 'unused'])(
    'a token is refused once it expires or is revoked, whether used before or not: %s',
    async (kind) => {
      const expired = await service.admin.issue(`expired-${kind}`, 1);
      const revoked = await service.admin.issue(`revoked-${kind}`);
      for (const { token } of kind === 'used' ? [expired, revoked] : [])
        expect((await post(token, '{"id":2,"name":"Guest"}')).statusCode).toBe(200);
      await service.admin.revoke(revoked.issued.digest);
      // A token that was used is cached for a minute.
      now += 60_000;
      expect(errorOf(await post(revoked.token))).toBe(40102);
      now = expired.issued.expires * 1000 - 1;
      expect((await post(expired.token, '{"id":2,"name":"Guest"}')).statusCode).toBe(200);
      now += 1;
      expect(errorOf(await post(expired.token))).toBe(40102);
    },
  );
});
