import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AccessTokenAdmin } from './access-token-admin.ts';
import type { AdminOptions } from './issued-token.ts';
import { refuseForeignResponses } from './store-responses.ts';

/**
 * Does something with the access tokens of one table.
 * @param settings of the DynamoDB client
 */
export async function withTokenAdmin<Result>(
  table: string,
  settings: DynamoDBClientConfig,
  work: (admin: AccessTokenAdmin) => Promise<Result>,
  options: AdminOptions = {},
): Promise<Result> {
  const client = new DynamoDBClient(settings);
  refuseForeignResponses(client);
  // The default throws at a number that a double cannot hold, which somebody may have written by hand.
  const documents = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: Number } });
  try {
    return await work(new AccessTokenAdmin(documents, table, options));
  } finally {
    client.destroy();
  }
}
