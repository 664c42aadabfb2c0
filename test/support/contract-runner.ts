import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { ContractCase } from '../../contract/cases.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { AccessTokenAdmin } from '../../tools/access-token-admin.ts';
import { type Answer, judgeAnswer } from '../../tools/verify/judge-answer.ts';
import { derivedTokens, type Tokens } from '../../tools/verify/placeholders.ts';

export { OPENAPI } from '../../contract/openapi.ts';
export { type Answer, contractViolations } from '../../tools/verify/judge-answer.ts';
export { SCHEMAS } from '../../tools/verify/openapi-schemas.ts';
export { headersOf, type Tokens } from '../../tools/verify/placeholders.ts';

/** Issues one token of each kind that a case may name. @param client for the table of access tokens */
export async function tokenKinds(client: DynamoDBDocumentClient, token: string): Promise<Tokens> {
  const admin = new AccessTokenAdmin(client, LOCAL_TABLES.accessTokens);
  const twoDaysAgo = new AccessTokenAdmin(
    client,
    LOCAL_TABLES.accessTokens,
    () => Date.now() - 2 * 86_400_000,
  );
  const revoked = await admin.issue('revoked');
  await admin.revokeAll('revoked');
  return {
    ...derivedTokens(token),
    expired: (await twoDaysAgo.issue('expired', 1)).token,
    revoked: revoked.token,
  };
}

/**
 * Checks the answer to a case against the contract and against what the case expects, and checks the table afterwards.
 * @param item reads an item of the table of plants
 */
export async function expectCase(
  contractCase: ContractCase,
  answer: Answer,
  item: (id: string) => Promise<unknown>,
): Promise<void> {
  const { expected } = contractCase;
  expect(judgeAnswer(answer, expected)).toEqual([]);
  if (expected.status === 200) {
    if (expected.stored)
      expect(await item(expected.stored)).toEqual({ id: expected.stored, ...expected.plant });
    return;
  }
  if (expected.absent) expect(await item(expected.absent)).toBeUndefined();
}
