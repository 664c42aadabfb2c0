import {
  type AttributeValue,
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { PlainError } from '../../cli/plain-error.ts';
import { findStage } from '../../infra/find-stage.ts';
import { OUTPUTS, PLANTS_KEY } from '../../infra/names.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { withLocalStore } from '../../local/open-store.ts';
import { explain, failed } from '../shared/aws.ts';
import { deployedStack } from '../shared/deployed-stack.ts';
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
}

/** Where plants are. */
interface Where {
  readonly stage?: string | undefined;
  readonly table?: string | undefined;
  readonly data?: string | undefined;
}

/**
 * Does something with the table of plants that these options name.
 * @throws PlainError if there is no such store, stage or table of plants; or what went wrong, with where
 */
export async function withPlants(
  { stage: name, table, data }: Where,
  work: (plants: Plants) => Promise<void>,
): Promise<void> {
  if (name === undefined) {
    const local = { where: 'The local store', isDeployed: false, table: table ?? LOCAL_TABLES.plants };
    return withLocalStore(data, () => withClient({}, local, work));
  }
  const stack = await deployedStack(findStage(name));
  const deployed = { where: `Stage ${name}`, table: table ?? stack.output(OUTPUTS.plantsTable) };
  return withClient(stack.settings, { ...deployed, isDeployed: true }, work);
}

async function withClient(
  settings: DynamoDBClientConfig,
  named: Omit<Plants, 'client'>,
  work: (plants: Plants) => Promise<void>,
) {
  const client = new DynamoDBClient({ ...(!process.env.AWS_MAX_ATTEMPTS && PATIENT), ...settings });
  refuseForeignResponses(client);
  const plants = { ...named, client };
  await requirePlants(plants)
    .then(() => work(plants))
    .catch(failed(named.where))
    .finally(() => client.destroy());
}

/** @throws PlainError if it is not a table of plants, or cannot be described */
async function requirePlants({ client, table }: Plants): Promise<void> {
  const { Table: found } = await client
    .send(new DescribeTableCommand({ TableName: table }))
    .catch(failed(`the table ${table} cannot be described`));
  const [{ AttributeName: name } = {}, ...others] = found?.KeySchema ?? [];
  const type = found?.AttributeDefinitions?.find((each) => each.AttributeName === name)?.AttributeType;
  if (others.length > 0 || name !== PLANTS_KEY.name || type !== PLANTS_KEY.type)
    throw new PlainError(`${table} is not a table of plants; its key is not the number id.`);
}

/** The key of a plant, in DynamoDB's JSON. */
export function keyOf(id: string) {
  return { id: { N: id } } satisfies Record<string, AttributeValue>;
}

/** Reads an item, with all writes before it. @returns undefined if there is none */
export async function findItem({ client, table: TableName }: Plants, id: string): Promise<Item | undefined> {
  const get = new GetItemCommand({ TableName, Key: keyOf(id), ConsistentRead: true });
  const { Item: item } = await client.send(get).catch(failed(`the plant ${id} cannot be read`));
  return item;
}

/** The error if none of the plants with these ids exists. */
export function noneOf(ids: readonly string[]): PlainError {
  return new PlainError(
    `there is ${ids.length === 1 ? `no plant ${ids}` : `none of the ${ids.length} plants`}.`,
  );
}

/** What went wrong, as a sentence. */
export function sentence(error: unknown): string {
  return explain(error).replace(/[^.]$/, '$&.');
}
