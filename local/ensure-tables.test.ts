import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { PLANTS_KEY } from '../infra/table-keys.ts';
import { folderProblem } from './data-folder.ts';
import { startEmbeddedStore } from './embedded-store.ts';
import { ensureTables } from './ensure-tables.ts';
import { LOCAL_TABLES } from './local-tables.ts';

const KEY = [{ AttributeName: PLANTS_KEY.name, KeyType: 'HASH' as const }];
const INDEX = { IndexName: 'byKey', KeySchema: KEY, Projection: { ProjectionType: 'KEYS_ONLY' as const } };
test.each<[what: string, type: 'N' | 'S', more: object]>([
  ['another type of its key', PLANTS_KEY.type === 'N' ? 'S' : 'N', {}],
  ['an index that this version does not have', PLANTS_KEY.type, { GlobalSecondaryIndexes: [INDEX] }],
])('a table of another version, with %s, is refused with what to do', async (_, AttributeType, more) => {
  const store = await startEmbeddedStore();
  const { endpoint, accessKeyId = '' } = store;
  const credentials = { accessKeyId, secretAccessKey: 'any' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  const TableName = LOCAL_TABLES.plants;
  const AttributeDefinitions = [{ AttributeName: PLANTS_KEY.name, AttributeType }];
  const table = {
    TableName,
    KeySchema: KEY,
    AttributeDefinitions,
    BillingMode: 'PAY_PER_REQUEST',
  } as const;
  await client.send(new CreateTableCommand({ ...table, ...more }));
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.02, maxDelay: 0.1 }, { TableName });
  const refused = await ensureTables(client).catch((error) => error);
  expect(folderProblem('data', refused)).toBe(
    `The data folder data cannot be used (the table ${TableName} has other keys or indexes than this version needs: export its plants with the version that made it, and import them into a new store). Or delete the folder, with its plants.`,
  );
  client.destroy();
  await store.close();
});
