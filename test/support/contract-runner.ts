import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AccessTokenAdmin } from '../../commands/shared/access-token-admin.ts';
import type { ContractCase } from '../../contract/contract-case.ts';
import { derivedTokens, type Tokens } from '../../contract/placeholders.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import type { StoredItem } from './stored-item.ts';

export { contractViolations, type HttpResponse, judgeResponse } from '../../contract/judge-response.ts';
export { headersOf, type Tokens } from '../../contract/placeholders.ts';

/** Issues one token of each kind that a case may name. @param client for the table of access tokens */
export async function tokenKinds(client: DynamoDBDocumentClient, token: string): Promise<Tokens> {
  const admin = new AccessTokenAdmin(client, LOCAL_TABLES.accessTokens);
  const now = () => Date.now() - 2 * 86_400_000;
  const twoDaysAgo = new AccessTokenAdmin(client, LOCAL_TABLES.accessTokens, { now });
  const revoked = await admin.issue('revoked');
  await admin.revokeAll('revoked');
  return {
    ...derivedTokens(token),
    expired: (await twoDaysAgo.issue('expired', 1)).token,
    revoked: revoked.token,
  };
}

/**
 * Finds the cases after which the table is not as expected. All cases run first: their items differ in their ids.
 * @param items the table of plants, by id
 * @returns the names of the cases
 */
export function wrongItems(
  cases: readonly Pick<ContractCase, 'name' | 'expected'>[],
  items: ReadonlyMap<string, StoredItem>,
): string[] {
  const isWrong = ({ expected }: Pick<ContractCase, 'expected'>) => {
    if (expected.status === 400) return expected.absent?.some((id) => items.has(id));
    const { stored: id, plant } = expected;
    return id !== undefined && !isDeepStrictEqual(items.get(id), { id, ...plant });
  };
  return cases.filter(isWrong).map(({ name }) => name);
}
