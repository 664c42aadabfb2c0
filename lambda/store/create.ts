import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Failure } from '../errors.ts';
import { MAX_ITEM_BYTES } from '../limits.ts';
import type { NewPlant } from '../plant.ts';
import { ConnectionError } from './buffering-http-handler.ts';
import { isStoredAs, refusalOf } from './conditional-write.ts';
import { itemBytes } from './item-bytes.ts';
import type { PlantTable } from './plant-table.ts';
import { callStore, type StoreCalls } from './store.ts';

/**
 * Stores a plant with one conditional PutItem. Safe to repeat: the same plant again changes nothing, another plant
 * under a taken id is refused and overwrites nothing.
 * @returns whether the plant is new, was already stored, or cannot be told: the response to an earlier attempt was lost
 * @throws Failure 41301 when the plant may not fit into an item, 40901 when the id belongs to a different plant; 42901,
 * 50001 or 50301 when nothing was stored, 50401 when it may have been
 */
export type Create = (
  plant: NewPlant,
  calls: StoreCalls,
) => Promise<'created' | 'repeated' | 'created-or-repeated'>;

/** The create of plants in a table. */
export function createIn({ client, name }: PlantTable): Create {
  return async (plant, calls) => {
    if (itemBytes(plant) > MAX_ITEM_BYTES) throw new Failure('TOO_LARGE');
    const put = new PutCommand({
      TableName: name,
      Item: { ...plant },
      ConditionExpression: 'attribute_not_exists(#id)',
      ExpressionAttributeNames: { '#id': 'id' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const attempt = async (mayBeWritten: boolean) => {
      const refusal = await refusalOf(plant.id, () => client.send(put, { abortSignal: calls.signal }));
      if (!refusal) return 'created';
      // It may be of this plant, stored by an earlier attempt.
      if (!refusal.Item) throw new ConnectionError('damaged response', true, refusal);
      if (!isStoredAs(refusal.Item, plant)) return 'taken';
      return mayBeWritten ? 'created-or-repeated' : 'repeated';
    };
    const outcome = await callStore('write', attempt, calls);
    if (outcome === 'taken') throw new Failure('ID_TAKEN');
    return outcome;
  };
}
