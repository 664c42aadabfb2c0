import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { LOCAL_TABLES } from '../../../local/tables.ts';

/** A plant as it was sent, and whether the service has acknowledged it. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly tag?: string;
  acknowledged: boolean;
}

/** The differences between the store and what was sent. */
export interface Audit {
  /** Acknowledged, but not in the store. */
  missing: number;
  /** In the store, but not as it was sent. */
  altered: number;
  /** In the store, but never sent. */
  strange: number;
  /** In the store, although its acknowledgement was lost; a retry will get 200. */
  unacknowledged: number;
}

/** Compares a table of plants with what was sent, using an independent client. */
export async function audit(client: DynamoDBClient, entries: ReadonlyMap<string, Entry>): Promise<Audit> {
  // A plant that is acknowledged during the scan may be missing from it.
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
