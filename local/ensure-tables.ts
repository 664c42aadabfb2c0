import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { ACCESS_TOKENS_KEY, PLANTS_KEY, type TableKey } from '../infra/table-keys.ts';
import { DamagedStore, OtherStore } from './data-folder.ts';
import { LOCAL_TABLES } from './local-tables.ts';

/**
 * Creates both tables, with the same keys as the deployed ones, unless they exist.
 * @param isUsed whether they must exist: the store has kept plants before
 * @throws DamagedStore if a store that was used lacks one: LevelDB lost it, and the plants with it
 * @throws OtherStore if one has other keys or indexes, as after a change of the model
 */
export async function ensureTables(client: DynamoDBClient, isUsed = false): Promise<void> {
  const definitions = [
    definitionOf(LOCAL_TABLES.plants, PLANTS_KEY),
    definitionOf(LOCAL_TABLES.accessTokens, ACCESS_TOKENS_KEY),
  ];
  for (const wanted of definitions) {
    const { TableName } = wanted;
    const existing = await describe(client, TableName);
    if (existing) requireSame(existing, wanted);
    if (existing?.TableStatus === 'ACTIVE') continue;
    if (!existing && isUsed) throw new DamagedStore(`the table ${TableName} is missing`);
    if (!existing) await create(client, wanted);
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.02, maxDelay: 0.1 }, { TableName });
  }
}

function definitionOf(TableName: string, { name: AttributeName, type: AttributeType }: TableKey) {
  return {
    TableName,
    KeySchema: [{ AttributeName, KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName, AttributeType }],
    BillingMode: 'PAY_PER_REQUEST',
  } satisfies CreateTableCommandInput;
}

async function describe(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Another process may have made it meanwhile. */
async function create(client: DynamoDBClient, wanted: CreateTableCommandInput): Promise<void> {
  try {
    await client.send(new CreateTableCommand(wanted));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}

type Keys = Pick<TableDescription, 'KeySchema' | 'AttributeDefinitions' | 'GlobalSecondaryIndexes'>;

function requireSame(existing: TableDescription, wanted: CreateTableCommandInput): void {
  if (keysOf(existing) === keysOf(wanted as Keys)) return;
  throw new OtherStore(
    `the table ${wanted.TableName} has other keys or indexes than this version needs: export its plants with the version that made it, ` +
      'and import them into a new store',
  );
}

/** All that is said of keys and indexes, as one text: the store gives lists in any order. */
function keysOf({ KeySchema, AttributeDefinitions = [], GlobalSecondaryIndexes = [] }: Keys): string {
  const parts = (keys: Keys['KeySchema'] = []) =>
    keys.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`);
  const types = AttributeDefinitions.map(
    ({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`,
  );
  const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema }) =>
    [IndexName, ...parts(KeySchema)].join(),
  );
  return [...parts(KeySchema), ...types.sort(), ...indexes.sort()].join('; ');
}
