import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { LOCAL_TABLES } from '../../local/tables.ts';
import type { Operation } from '../../test/histories/model.ts';
import { fingerprint } from '../../test/support/store-in-memory.ts';

/** A plant as it was sent, and whether the service has acknowledged it. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly tag?: string;
  acknowledged: boolean;
}

/** How many plants differ between the store and what was sent. */
export interface Differences {
  /** Acknowledged, but not in the store. */
  missing: number;
  /** In the store, but not as it was sent. */
  altered: number;
  /** In the store, but never sent. */
  strange: number;
  /** In the store, although its acknowledgement was lost; a retry will get 200. */
  unacknowledged: number;
}

/**
 * Compares a table of plants with what was sent, using an independent client.
 * @param sent.log gets what was seen under each id
 * @param found the differences so far; those of this comparison are added
 */
export async function audit(
  client: DynamoDBClient,
  { entries, log }: { readonly entries: ReadonlyMap<string, Entry>; readonly log: Operation[] },
  found: Differences,
) {
  const calledAt = performance.now();
  const plants = new Map<string, string | undefined>([...entries.keys()].map((id) => [id, undefined]));
  // A plant that is acknowledged during the scan may be absent from it.
  const missing = new Set([...entries.values()].filter(({ acknowledged }) => acknowledged));
  const pages = paginateScan({ client }, { TableName: LOCAL_TABLES.plants, ConsistentRead: true });
  for await (const { Items: items = [] } of pages) {
    for (const item of items) {
      const id = item.id?.N ?? '';
      const entry = entries.get(id);
      plants.set(id, fingerprint({ name: item.name?.S, tag: item.tag?.S }));
      if (!entry) found.strange += 1;
      else if (!isDeepStrictEqual(item, asItem(entry))) found.altered += 1;
      else if (!entry.acknowledged) found.unacknowledged += 1;
      if (entry) missing.delete(entry);
    }
  }
  found.missing += missing.size;
  const endedAt = performance.now();
  for (const [id, plant] of plants) log.push({ id, plant, claim: 'seen', calledAt, endedAt });
}

function asItem({ id, name, tag }: Entry) {
  return { id: { N: id }, name: { S: name }, ...(tag === undefined ? {} : { tag: { S: tag } }) };
}
