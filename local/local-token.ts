import { randomBytes } from 'node:crypto';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { tokenDigest } from '../lambda/tokens/access-token-table.ts';
import { formatToken } from '../lambda/tokens/token-format.ts';
import type { DataFolder } from './data-folder.ts';
import { LOCAL_TABLES } from './local-tables.ts';

const TableName = LOCAL_TABLES.accessTokens;
const SECONDS_VALID = 90 * 86_400;

/**
 * The access token that `npm start` prints: the one in the data folder if it is valid, or else a new one.
 * @param folder keeps the token between starts; a service in memory gets a new token each time
 * @param settings of a client for the store
 */
export async function localToken(
  folder: DataFolder | undefined,
  settings: DynamoDBClientConfig,
): Promise<string> {
  const client = new DynamoDBClient(settings);
  const documents = DynamoDBDocumentClient.from(client);
  try {
    const now = Math.floor(Date.now() / 1000);
    const kept = folder?.read('token');
    if (kept && (await expiry(documents, kept)) > now) return kept;
    const token = formatToken(randomBytes(32));
    const item = { digest: tokenDigest(token), name: 'local', created: now, expires: now + SECONDS_VALID };
    await documents.send(new PutCommand({ TableName, Item: item }));
    folder?.write('token', token);
    return token;
  } finally {
    client.destroy();
  }
}

/** In seconds since the epoch; NaN if the token is not in the table. */
async function expiry(documents: DynamoDBDocumentClient, token: string): Promise<number> {
  const Key = { digest: tokenDigest(token) };
  const { Item: item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Number(item?.expires);
}
