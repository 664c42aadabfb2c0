import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { loadCases } from '../../contract/cases.ts';
import { type HttpResponse, judgeResponse } from '../../contract/judge-response.ts';
import { headersOf } from '../../contract/placeholders.ts';
import { gatewayRoute } from '../../local/make-proxy-event.ts';
import { expectItems, tokenKinds } from './contract-runner.ts';
import type { FunctionUnderTest } from './function-under-test.ts';
import { storedItems } from './stored-item.ts';
import { plantEvent, type TestService } from './test-service.ts';

/**
 * Defines a test for each contract case that needs no HTTP, and one for the table after them.
 * @param handler a function over the store of `service`
 */
export async function testContract(
  service: TestService,
  handler: FunctionUnderTest['handler'],
): Promise<void> {
  const tokens = await tokenKinds(DynamoDBDocumentClient.from(service.client), service.token);
  const cases = loadCases().filter(({ only }) => only !== 'http');
  for (const contractCase of cases) {
    test(`${contractCase.group}: ${contractCase.name}`, async () => {
      for (const body of contractCase.given) await handler(plantEvent(tokens.token, body));
      const path = contractCase.path.split('?', 1)[0] ?? '';
      const multiValueHeaders: Record<string, string[]> = {};
      for (const [name, value] of headersOf(contractCase, tokens)) {
        multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), value];
      }
      const route = { httpMethod: contractCase.method, ...gatewayRoute(path), path };
      const event = plantEvent(tokens.token, contractCase.body, { ...route, headers: {}, multiValueHeaders });
      const { statusCode, headers, body } = await handler(event);
      const response = { status: statusCode, headers: headers as HttpResponse['headers'], body };
      expect(judgeResponse(response, contractCase.expected)).toEqual([]);
    });
  }
  test('the table has the plants that were accepted, and none that was refused', async () => {
    expectItems(cases, await storedItems(service.client));
  });
}
