import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { sendHttp } from '../../commands/shared/send-http.ts';
import { loadCases } from '../../contract/cases.ts';
import { judgeResponse } from '../../contract/judge-response.ts';
import { headersOf } from '../../contract/placeholders.ts';
import { expectItems, tokenKinds } from '../support/contract-runner.ts';
import { startLocalProcess } from '../support/local-process.ts';
import { storedItems } from '../support/stored-item.ts';

describe('the local server conforms to the contract', async () => {
  const server = await startLocalProcess();
  const tokens = await tokenKinds(DynamoDBDocumentClient.from(server.client), server.token);
  afterAll(() => server.end());

  const cases = loadCases().filter(({ only }) => only !== 'handler');
  for (const contractCase of cases) {
    test(`${contractCase.group}: ${contractCase.name}`, async () => {
      for (const body of contractCase.given) expect(await server.post(body)).toMatchObject({ status: 200 });
      const headers = headersOf(contractCase, tokens);
      const response = await sendHttp(server.url, { ...contractCase, headers });
      expect(judgeResponse(response, contractCase.expected)).toEqual([]);
    });
  }

  test('the table has the plants that were accepted, and none that was refused', async () => {
    expectItems(cases, await storedItems(server.client));
  });
});
