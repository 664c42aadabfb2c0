import {
  CreateTableCommand,
  type DynamoDBClient,
  paginateScan,
  ResourceInUseException,
  type ScalarAttributeType,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { ACCESS_TOKENS_KEY, PLANTS_KEY } from '../infra/names.ts';
import { LOCAL_TABLES } from './tables.ts';

/**
 * Creates both tables, with the same keys as the deployed ones, unless they exist.
 * @returns whether one did not exist
 */
export async function ensureTables(client: DynamoDBClient): Promise<boolean> {
  let hasMade = false;
  const keys = { [LOCAL_TABLES.plants]: PLANTS_KEY, [LOCAL_TABLES.accessTokens]: ACCESS_TOKENS_KEY };
  for (const [TableName, { name, type }] of Object.entries(keys)) {
    const create = new CreateTableCommand({
      TableName,
      KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: name, AttributeType: type as ScalarAttributeType }],
      BillingMode: 'PAY_PER_REQUEST',
    });
    try {
      await client.send(create);
      hasMade = true;
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.02, maxDelay: 0.1 }, { TableName });
  }
  return hasMade;
}

/** The number of plants, by reading them all. */
export async function countPlants(client: DynamoDBClient): Promise<number> {
  let plants = 0;
  for await (const { Count = 0 } of paginateScan(
    { client },
    { TableName: LOCAL_TABLES.plants, Select: 'COUNT' },
  ))
    plants += Count;
  return plants;
}
