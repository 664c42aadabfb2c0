import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { accessTokensIn } from '../../commands/shared/access-tokens.ts';
import type { ContractCase } from '../../contract/contract-case.ts';
import { derivedTokens, type Tokens } from '../../contract/placeholders.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import type { StoredItem } from './stored-item.ts';

/** Issues one token of each kind that a case may name. @param client for the table of access tokens */
export async function tokenKinds(client: DynamoDBDocumentClient, token: string): Promise<Tokens> {
  const admin = accessTokensIn(client, LOCAL_TABLES.accessTokens);
  const revoked = await admin.issue('revoked');
  await admin.revoke(revoked.issued);
  return {
    ...derivedTokens(token),
    expired: (await admin.issue('expired', -1)).token,
    revoked: revoked.token,
  };
}

/**
 * Expects the plants of accepted cases in the table, and none of refused ones. All cases run first: their items differ in their ids.
 * @param items the table of plants, by id
 */
export function expectItems(cases: readonly ContractCase[], items: ReadonlyMap<string, StoredItem>): void {
  for (const { name, expected } of cases)
    if (expected.status === 200)
      expect(items.get(expected.stored ?? ''), name).toEqual({ id: expected.stored, ...expected.plant });
    else for (const id of expected.absent ?? []) expect(items.get(id), name).toBeUndefined();
}
