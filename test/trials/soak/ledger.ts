import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { LOCAL_TABLES } from '../../../local/tables.ts';

/** A plant as it was sent, and whether the service has said that it is stored. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly tag?: string;
  acknowledged: boolean;
}

/** What a look into the store has shown. */
export interface Audit {
  /** Acknowledged, but not there. */
  missing: number;
  /** There, but not as it was sent. */
  altered: number;
  /** There, though nobody has sent it. */
  strange: number;
  /** There, though the acknowledgement was lost; a repeat will find it. */
  unacknowledged: number;
}

/** Compares a table of plants with what was sent, by a client that knows nothing of the service. */
export async function audit(client: DynamoDBClient, entries: ReadonlyMap<string, Entry>): Promise<Audit> {
  // What is acknowledged while the table is being read need not be seen.
  const acknowledged = [...entries.values()].filter((entry) => entry.acknowledged);
  const result: Audit = { missing: 0, altered: 0, strange: 0, unacknowledged: 0 };
  const seen = new Set<string>();
  const pages = paginateScan({ client }, { TableName: LOCAL_TABLES.plants, ConsistentRead: true });
  for await (const { Items: items = [] } of pages) {
    for (const item of items) {
      const id = item.id?.N ?? '';
      seen.add(id);
      const entry = entries.get(id);
      if (!entry) result.strange += 1;
      else if (!isDeepStrictEqual(item, asItem(entry))) result.altered += 1;
      else if (!entry.acknowledged) result.unacknowledged += 1;
    }
  }
  result.missing = acknowledged.filter(({ id }) => !seen.has(id)).length;
  return result;
}

function asItem({ id, name, tag }: Entry) {
  return { id: { N: id }, name: { S: name }, ...(tag === undefined ? {} : { tag: { S: tag } }) };
}
