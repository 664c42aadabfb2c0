import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import { Failure } from '../errors.ts';
import { LIST_INDEX, LISTED_BY } from '../listed-by.ts';
import { NEW_PLANT, type NewPlant, PROPERTIES } from '../plant.ts';
import { keyAttribute } from './key-attribute.ts';
import { plantKey } from './plant-key.ts';
import type { PlantTable } from './plant-table.ts';
import { callStore, type StoreCalls } from './store.ts';

/** A part of a list, by id. `last` is its last id if there may be more, also where `found` is empty. */
interface Page {
  readonly found: readonly NewPlant[];
  readonly last: NewPlant['id'] | undefined;
}

/**
 * Lists the plants that have a value of {@link LISTED_BY}.
 * @param after the last id of the page before
 * @throws Failure 42901, 50001 or 50301 when they cannot be read
 */
export type List = (
  value: unknown,
  limit: number,
  after: NewPlant['id'] | undefined,
  calls: StoreCalls,
) => Promise<Page>;

/** The list of plants in a table. */
export function listIn({ client, name }: PlantTable): List {
  return async (value, limit, after, calls) => {
    const attribute = keyAttribute(LISTED_BY, value);
    const query = new QueryCommand({
      TableName: name,
      IndexName: LIST_INDEX,
      KeyConditionExpression: '#0 = :0',
      ExpressionAttributeNames: { '#0': LISTED_BY },
      ExpressionAttributeValues: { ':0': attribute },
      Limit: limit,
      ExclusiveStartKey: after === undefined ? after : { [LISTED_BY]: attribute, ...plantKey(after) },
    });
    const attempt = () => client.send(query, { abortSignal: calls.signal });
    const { Items: items, LastEvaluatedKey: lastKey } = await callStore('read', attempt, calls);
    const plants = (items as Record<string, AttributeValue>[]).map((item) => NEW_PLANT.decode({ M: item }));
    // Not left out in silence.
    const found = plants.filter((plant) => plant !== undefined);
    if (found.length < plants.length) throw new Failure('SERVICE_FAULT', { fault: 'damaged response' });
    return { found, last: PROPERTIES.id.type.decode(lastKey?.id) };
  };
}
