import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Operation } from '../../test/histories/model.ts';
import { fingerprint } from '../../test/support/store-in-memory.ts';
import { type StoredItem, storedItems } from '../../test/support/stored-item.ts';

/** A plant as it was sent, and whether the service has acknowledged it. */
export interface Entry extends StoredItem {
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
  // A plant that is acknowledged during the scan may be absent from it.
  const missing = new Set([...entries.values()].filter(({ acknowledged }) => acknowledged));
  const plants = await storedItems(client);
  const endedAt = performance.now();
  for (const [id, item] of plants) {
    const entry = entries.get(id);
    if (!entry) found.strange += 1;
    else if (!isDeepStrictEqual({ ...item, acknowledged: entry.acknowledged }, entry)) found.altered += 1;
    else if (!entry.acknowledged) found.unacknowledged += 1;
    if (entry) missing.delete(entry);
  }
  found.missing += missing.size;
  for (const id of new Set([...entries.keys(), ...plants.keys()])) {
    const { name, tag } = plants.get(id) ?? {};
    const plant = name === undefined ? undefined : fingerprint({ name, tag });
    log.push({ id, plant, claim: 'seen', calledAt, endedAt });
  }
}
