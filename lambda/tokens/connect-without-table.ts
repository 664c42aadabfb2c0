import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ENVIRONMENT } from '../environment.ts';
import { ATTEMPT_MS } from '../limits.ts';
import type { IdentityProvider } from './json-web-tokens.ts';

/**
 * Connects to DynamoDB before the first request, in a stage without a table of access tokens: by a put of an item without its key, which the
 * function may try, and DynamoDB always refuses (docs/identity-provider-decisions.md).
 */
export const connectWithoutTable = async (client: DynamoDBDocumentClient): Promise<void> =>
  process.env.IDENTITY_PROVIDER
    ? putWithoutKey(client, JSON.parse(process.env.IDENTITY_PROVIDER))
    : undefined;

async function putWithoutKey(client: DynamoDBDocumentClient, { ownTokens }: IdentityProvider): Promise<void> {
  if (ownTokens !== false) return;
  const put = new PutCommand({ TableName: process.env[ENVIRONMENT.plantsTable], Item: {} });
  await client.send(put, { abortSignal: AbortSignal.timeout(ATTEMPT_MS) });
}
