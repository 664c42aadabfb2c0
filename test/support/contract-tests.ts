import { expect, test } from 'vitest';
import { loadCases } from '../../contract/cases.ts';
import type { ContractCase } from '../../contract/contract-case.ts';
import { judgeResponse } from '../../contract/judge-response.ts';
import type { HttpResponse } from '../../contract/send-http.ts';
import { derivedTokens, headersOf, type Tokens } from '../../contract/tokens.ts';
import { valuesByName } from '../../local/make-proxy-event.ts';
import type { FunctionUnderTest } from './function-under-test.ts';
import { storedItems } from './stored-item.ts';
import { operationEvent, plantEvent, type TestService } from './test-service.ts';

/**
 * Defines a test for each contract case, and one for the table after them.
 * @param handler a function over the store of `service`
 */
export async function testContract(
  service: TestService,
  handler: FunctionUnderTest['handler'],
): Promise<void> {
  const tokens = await tokenKinds(service);
  const cases = loadCases();
  for (const contractCase of cases)
    test(`${contractCase.group}: ${contractCase.name}`, async () => {
      for (const body of contractCase.given) await handler(plantEvent(tokens.token, body));
      const { statusCode, headers, body } = await handler(eventOf(contractCase, tokens));
      const response = { status: statusCode, headers: headers as HttpResponse['headers'], body };
      expect(judgeResponse(response, contractCase.expected)).toEqual([]);
    });

  test('the table has the plants that were accepted, and none that was refused', async () => {
    const items = await storedItems(service.client);
    for (const { name, expected } of cases)
      if (expected.status === 400)
        for (const id of expected.absent ?? []) expect(items.get(id), name).toBeUndefined();
      else if (expected.stored) expect(items.get(expected.stored.id), name).toEqual(expected.stored);
  });
}

/** The event of a case. */
export function eventOf(contractCase: ContractCase, tokens: Tokens) {
  const multiValueHeaders = valuesByName(headersOf(contractCase, (kind) => tokens[kind]));
  const operation = operationEvent(contractCase.method, contractCase.path);
  return { ...plantEvent('', contractCase.body, operation), headers: {}, multiValueHeaders };
}

/** A token of each kind that a case may name. */
export async function tokenKinds({ admin, token }: TestService): Promise<Tokens> {
  const revoked = await admin.issue('revoked');
  await admin.revoke(revoked.issued);
  return {
    ...derivedTokens(token),
    expired: (await admin.issue('expired', -1)).token,
    revoked: revoked.token,
  };
}
