import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCases } from '../../contract/cases.ts';
import { sendHttp } from '../../tools/verify/send-http.ts';
import { expectCase, headersOf, type Tokens, tokenKinds } from '../support/contract-runner.ts';
import { type LocalProcess, startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { leaks, storedItem } from '../support/test-service.ts';

describe('the local server conforms to the contract', () => {
  let server: LocalProcess;
  let client: DynamoDBClient;
  let tokens: Tokens;

  beforeAll(async () => {
    server = await startLocalProcess(temporaryFolder());
    client = new DynamoDBClient({
      endpoint: server.endpoint,
      region: 'local',
      credentials: server.credentials,
    });
    tokens = await tokenKinds(DynamoDBDocumentClient.from(client), server.token);
  });
  afterAll(async () => {
    client.destroy();
    await server.end('SIGTERM');
  });

  const cases = loadCases().filter(({ only }) => only !== 'handler');
  for (const contractCase of cases) {
    test(`${contractCase.group}: ${contractCase.name}`, async () => {
      const headers = headersOf(contractCase, tokens);
      const given: [string, string][] = [['authorization', `Bearer ${tokens.token}`]];
      for (const body of contractCase.given) {
        expect(await sendHttp(server.url, { headers: given, body })).toMatchObject({ status: 200 });
      }
      const answer = await sendHttp(server.url, { ...contractCase, headers });
      await expectCase(contractCase, answer, (id) => storedItem(client, id));
    });
  }

  test('its log contains no token, no digest and nothing of a plant except its id', () => {
    const names = cases.flatMap(({ expected }) =>
      expected.status === 200 ? Object.values(expected.plant) : [],
    );
    const afterWelcome = server.output().split('Stop it with')[1] ?? '';
    expect(afterWelcome.split('\n').length).toBeGreaterThan(100);
    expect(leaks(afterWelcome, [...Object.values(tokens), ...names])).toEqual([]);
  });
});
