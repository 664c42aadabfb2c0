import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type ContractCase, loadCases } from '../../contract/cases.ts';
import { type Answer, expectCase, headersOf, type Tokens, tokenKinds } from '../support/contract-runner.ts';
import { plantEvent, startTestService, type TestService } from '../support/test-service.ts';

const CASES = loadCases().filter(({ only }) => only !== 'http');

/**
 * Sends every contract case that needs no HTTP to a function.
 * @param handlerOf returns the function over the store of a test service
 */
export function keepsTheContract(
  name: string,
  handlerOf: (service: TestService) => TestService['handler'],
): void {
  describe(`${name} conforms to the contract`, () => {
    let service: TestService;
    let tokens: Tokens;
    let handler: TestService['handler'];

    beforeAll(async () => {
      service = await startTestService();
      handler = handlerOf(service);
      tokens = await tokenKinds(DynamoDBDocumentClient.from(service.client), service.token);
    });
    afterAll(() => service.close());

    const send = async (contractCase: ContractCase, body = contractCase.body): Promise<Answer> => {
      const path = contractCase.path.split('?', 1)[0] ?? '';
      const multiValueHeaders: Record<string, string[]> = {};
      for (const [name, value] of headersOf(contractCase, tokens)) {
        multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), value];
      }
      const event = plantEvent(tokens.token, body, {
        httpMethod: contractCase.method,
        resource: path,
        path,
        headers: {},
        multiValueHeaders,
      });
      const { statusCode, headers, body: text } = await handler(event);
      return { status: statusCode, headers: headers as Answer['headers'], body: text };
    };

    for (const contractCase of CASES) {
      test(`${contractCase.group}: ${contractCase.name}`, async () => {
        for (const body of contractCase.given) await handler(plantEvent(tokens.token, body));
        await expectCase(contractCase, await send(contractCase), service.item);
      });
    }
  });
}
