import { DynamoDBClient, type DynamoDBClientConfig, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { PlainError } from '../../cli/plain-error.ts';
import { OUTPUTS } from '../../infra/stack-names.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { withLocalStore } from '../../local/open-store.ts';
import { explain, failed } from '../../operate/shared/aws.ts';
import { refuseForeignResponses } from '../../operate/shared/store-responses.ts';
import { keyOf } from '../shared/plant-key.ts';
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

/**
 * Does something with the table of plants that these options name.
 * @throws PlainError if there is no such store or stage; or what went wrong, with where
 */
export async function withPlants<Result>(
  { stage, table, data }: Readonly<Record<'stage' | 'table' | 'data', string | undefined>>,
  work: (plants: Plants) => Promise<Result>,
): Promise<Result> {
  const withClient = async (settings: DynamoDBClientConfig, where: string, own: string) => {
    const client = new DynamoDBClient({ ...(!process.env.AWS_MAX_ATTEMPTS && PATIENT), ...settings });
    // Before @aws-sdk/core 3.981.2, it copies each response for a log that there is not: a sixth of the CPU time of an export.
    client.middlewareStack.remove('loggerMiddleware');
    refuseForeignResponses(client);
    return work({ where, isDeployed: stage !== undefined, client, table: table ?? own })
      .catch(failed(where))
      .finally(() => client.destroy());
  };
  if (stage === undefined)
    return withLocalStore(data, (settings) => withClient(settings, 'The local store', LOCAL_TABLES.plants));
  const { stackOfStage } = await import('../../operate/shared/stack-of-stage.ts');
  const stack = await stackOfStage(stage);
  return withClient(stack.settings, `Stage ${stage}`, stack.output(OUTPUTS.plantsTable));
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
