import {
  CreateTableCommand,
  type DynamoDBClient,
  ListTablesCommand,
  ResourceInUseException,
  type ScalarAttributeType,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { ACCESS_TOKENS_KEY, PLANTS_KEY } from '../infra/table-keys.ts';
import { DamagedStore } from './data-folder.ts';
import { LOCAL_TABLES } from './local-tables.ts';

/**
 * Creates both tables, with the same keys as the deployed ones, unless they exist.
 * @param isUsed whether they must exist: the store has kept plants before
 * @throws DamagedStore if a store that was used lacks one: LevelDB lost it, and the plants with it
 */
export async function ensureTables(client: DynamoDBClient, isUsed = false): Promise<void> {
  const names = isUsed ? (await client.send(new ListTablesCommand())).TableNames : undefined;
  const keys = { [LOCAL_TABLES.plants]: PLANTS_KEY, [LOCAL_TABLES.accessTokens]: ACCESS_TOKENS_KEY };
  for (const [TableName, { name, type }] of Object.entries(keys)) {
    if (names?.includes(TableName)) continue;
    if (names) throw new DamagedStore(`the table ${TableName} is missing`);
    const create = new CreateTableCommand({
      TableName,
      KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: name, AttributeType: type as ScalarAttributeType }],
      BillingMode: 'PAY_PER_REQUEST',
    });
    try {
      await client.send(create);
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.02, maxDelay: 0.1 }, { TableName });
  }
}
