import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { Failure } from '../errors.ts';
import type { NewPlant } from '../plant.ts';
import { ConnectionError } from './buffering-http-handler.ts';
import { refusalOf } from './conditional-write.ts';
import { plantKey } from './plant-key.ts';
import type { PlantTable } from './plant-table.ts';
import { callStore, type StoreCalls } from './store.ts';

/**
 * Deletes a plant with one conditional PutItem, whatever its properties are. A small item stays in its place, so that nobody else gets the id:
 * a late retry of this would delete their plant, and a late retry of the create would store this one again. Safe to repeat: the small item
 * stays as it is.
 * @returns whether the plant was there, was deleted before, or cannot be told: the response to an earlier attempt was lost
 * @throws Failure 40402 when nobody has the id; 42901, 50001 or 50301 when nothing was deleted, 50401 when it may have been
 */
export type Delete = (
  id: NewPlant['id'],
  calls: StoreCalls,
) => Promise<'deleted' | 'already-deleted' | 'deleted-or-already-deleted'>;

/** The deletion of plants in a table. */
export function deleteIn({ client, name }: PlantTable): Delete {
  return async (id, calls) => {
    const put = new PutItemCommand({
      TableName: name,
      // An older version, live at the same time, takes it for another plant. None has a change of version 0.
      Item: { ...plantKey(id), version: { N: '0' }, deletedAt: { S: new Date().toISOString() } },
      ConditionExpression: 'attribute_exists(#id) AND attribute_not_exists(#deletedAt)',
      ExpressionAttributeNames: { '#id': 'id', '#deletedAt': 'deletedAt' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const attempt = async (mayBeWritten: boolean) => {
      const refusal = await refusalOf(id, () => client.send(put, { abortSignal: calls.signal }));
      if (!refusal) return 'deleted';
      if (!refusal.Item) return 'absent';
      // The condition holds for a plant.
      if (!refusal.Item.deletedAt) throw new ConnectionError('damaged response', true, refusal);
      return mayBeWritten ? 'deleted-or-already-deleted' : 'already-deleted';
    };
    const outcome = await callStore('write', attempt, calls);
    if (outcome === 'absent') throw new Failure('NO_SUCH_PLANT');
    return outcome;
  };
}
