import {
  type AttributeValue,
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { PlainError } from '../../cli/plain-error.ts';
import { OUTPUTS, PLANTS_KEY } from '../../infra/names.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { withLocalStore } from '../../local/open-store.ts';
import { failed } from '../shared/aws.ts';
import { deployedStack } from '../shared/deployed-stack.ts';
import { stageNamed } from '../shared/stage-option.ts';
import { refuseForeignResponses } from '../shared/store-responses.ts';
import type { Item } from './plant-line.ts';

/** A throttled export of an hour should not fail at the third refusal in a row. `AWS_MAX_ATTEMPTS` sets another number. */
const PATIENT: DynamoDBClientConfig = { maxAttempts: 10 };

/** A table of plants, local or deployed. */
export interface Plants {
  /** For messages: where the table is. */
  readonly where: string;
  readonly isDeployed: boolean;
  readonly client: DynamoDBClient;
  readonly table: string;
  /** The most read units a second that the table allows; undefined if the stage sets none. */
  readonly ceiling: number | undefined;
}

/**
 * Does something with the table of plants that these options name.
 * @throws PlainError if there is no such store or stage
 */
export async function withPlants(
  {
    stage: name,
    table,
    data,
  }: { stage?: string | undefined; table?: string | undefined; data?: string | undefined },
  work: (plants: Plants) => Promise<void>,
): Promise<void> {
  if (name === undefined) {
    const local = { where: 'The local store', isDeployed: false, ceiling: undefined };
    const named = table ?? LOCAL_TABLES.plants;
    return withLocalStore(data, () => withClient({}, (client) => work({ ...local, table: named, client })));
  }
  const stage = stageNamed(name);
  const stack = await deployedStack(stage);
  const ceiling = stage.tableCeiling?.reads;
  const named = table ?? stack.output(OUTPUTS.plantsTable);
  const deployed = { where: `Stage ${name}`, isDeployed: true, table: named, ceiling };
  return withClient(stack.settings, (client) => work({ ...deployed, client }));
}

async function withClient(settings: DynamoDBClientConfig, work: (client: DynamoDBClient) => Promise<void>) {
  const client = new DynamoDBClient({ ...(!process.env.AWS_MAX_ATTEMPTS && PATIENT), ...settings });
  refuseForeignResponses(client);
  await work(client).finally(() => client.destroy());
}

/**
 * How many items the table has, as DynamoDB estimates about every six hours (API reference, TableDescription).
 * @throws PlainError if it is not a table of plants, or cannot be described
 */
export async function estimatedCount({ client, table, where }: Plants): Promise<number> {
  const { Table: found } = await client
    .send(new DescribeTableCommand({ TableName: table }))
    .catch(failed(`${where}: the table ${table} cannot be described`));
  const { AttributeName: name } = found?.KeySchema?.[0] ?? {};
  const type = found?.AttributeDefinitions?.find((each) => each.AttributeName === name)?.AttributeType;
  if (found?.KeySchema?.length !== 1 || name !== PLANTS_KEY.name || type !== PLANTS_KEY.type)
    throw new PlainError(`${where}: ${table} is not a table of plants; its key is not the number id.`);
  return found.ItemCount ?? 0;
}

/** The key of a plant, in DynamoDB's JSON. */
export function keyOf(id: string) {
  return { id: { N: id } } satisfies Record<string, AttributeValue>;
}

/**
 * An item that the store gave for an id, if it gave one.
 * @throws PlainError if it is another
 */
export function itemWithId(item: Item | undefined, id: string): Item | undefined {
  if (item === undefined || item.id?.N === id) return item;
  throw new PlainError(`The store gave the item ${item.id?.N ?? 'without an id'} for the plant ${id}.`);
}

/**
 * Reads an item, with all writes before it.
 * @returns undefined if there is none
 * @throws PlainError if the table cannot be read
 */
export async function findItem({ client, table, where }: Plants, id: string) {
  return client
    .send(new GetItemCommand({ TableName: table, Key: keyOf(id), ConsistentRead: true }))
    .then(({ Item: item }) => itemWithId(item, id))
    .catch(failed(`${where}: the plant ${id} cannot be read`));
}

/** The error if the table has none of the plants. */
export function noneOf({ where }: Plants, ids: readonly string[]): PlainError {
  return new PlainError(
    `${where} has ${ids.length === 1 ? `no plant ${ids}` : `none of the ${ids.length} plants`}.`,
  );
}
