import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, test } from 'vitest';
import { loadCases } from '../../contract/cases.ts';
import { type Answer, expectCase, headersOf, tokenKinds } from '../support/contract-runner.ts';
import { type FunctionUnderTest, startBundle } from '../support/function-under-test.ts';
import { plantEvent, startTestService, type TestService } from '../support/test-service.ts';

const STARTS: [string, (service: TestService) => FunctionUnderTest][] = [
  ['the function', (service) => service],
  ['the deployed bundle', ({ store }) => startBundle(store.endpoint)],
];

describe.each(STARTS)('%s conforms to the contract', async (_, start) => {
  const service = await startTestService();
  const tokens = await tokenKinds(DynamoDBDocumentClient.from(service.client), service.token);
  const { handler } = start(service);
  afterAll(() => service.close());

  const cases = loadCases().filter(({ only }) => only !== 'http');
  for (const contractCase of cases) {
    test(`${contractCase.group}: ${contractCase.name}`, async () => {
      for (const body of contractCase.given) await handler(plantEvent(tokens.token, body));
      const path = contractCase.path.split('?', 1)[0] ?? '';
      const multiValueHeaders: Record<string, string[]> = {};
      for (const [name, value] of headersOf(contractCase, tokens)) {
        multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), value];
      }
      const route = { httpMethod: contractCase.method, resource: path, path };
      const event = plantEvent(tokens.token, contractCase.body, { ...route, headers: {}, multiValueHeaders });
      const { statusCode, headers, body } = await handler(event);
      const answer = { status: statusCode, headers: headers as Answer['headers'], body };
      await expectCase(contractCase, answer, service.item);
    });
  }
});
