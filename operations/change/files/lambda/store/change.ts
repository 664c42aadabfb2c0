import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Failure } from '../errors.ts';
import { MAX_ITEM_BYTES } from '../limits.ts';
import { type NewPlant, PLANT_NAMES } from '../plant.ts';
import { isStoredAs, refusalOf } from './conditional-write.ts';
import { itemBytes } from './item-bytes.ts';
import type { PlantTable } from './plant-table.ts';
import { callStore, type StoreCalls } from './store.ts';

/**
 * Changes a plant to its next version with one conditional UpdateItem. Safe to repeat: the same change again changes nothing.
 * @param version that of the plant as it is to be: at least 2
 * @returns whether the change is new, was already stored, or cannot be told: the response to an earlier attempt was lost
 * @throws Failure 41301 when the plant may not fit into an item, 40402 when nobody has the id, 40902 when the plant has another version than
 * the one before; 42901, 50001 or 50301 when nothing was changed, 50401 when it may have been
 */
export type Change = (
  plant: NewPlant,
  version: bigint,
  calls: StoreCalls,
) => Promise<'changed' | 'already-changed' | 'changed-or-already-changed'>;

/** The change of plants in a table. */
export function changeIn({ client, name }: PlantTable): Change {
  return async (plant, version, calls) => {
    if (itemBytes(plant) > MAX_ITEM_BYTES) throw new Failure('TOO_LARGE');
    const update = new UpdateCommand({ TableName: name, ...updateOf(plant, version) });
    const attempt = async (mayBeWritten: boolean) => {
      const refusal = await refusalOf(plant.id, () => client.send(update, { abortSignal: calls.signal }));
      if (!refusal) return 'changed';
      const item = refusal.Item;
      if (!item) return 'absent';
      if (isStoredAs(item, plant)) return mayBeWritten ? 'changed-or-already-changed' : 'already-changed';
      // A deleted plant has version 0, also if a newer version of the function, live at the same time, deleted it.
      if (item.deletedAt) return 'absent';
      // An earlier attempt may have made the change, and somebody else the next one.
      return mayBeWritten ? 'unknown' : 'outdated';
    };
    const outcome = await callStore('write', attempt, calls);
    if (outcome === 'absent') throw new Failure('NO_SUCH_PLANT');
    if (outcome === 'outdated') throw new Failure('OUTDATED');
    if (outcome === 'unknown') throw new Failure('NO_RESPONSE', { fault: calls.fault });
    return outcome;
  };
}

/** The known properties alone are set or removed: a newer version, live at the same time, may have stored more. */
function updateOf(plant: NewPlant, version: bigint) {
  // By index: an expression has no place for a name such as `first-name` or `@context`.
  const properties = PLANT_NAMES.map((name, n) => ({ n, name, value: plant[name] }));
  const there = properties.filter(({ value }) => value !== undefined);
  const absent = properties.filter(({ value }) => value === undefined);
  const set = `SET ${there.map(({ n }) => `#${n} = :${n}`)}`;
  const remove = absent.length === 0 ? '' : ` REMOVE ${absent.map(({ n }) => `#${n}`)}`;
  const current = `#${PLANT_NAMES.indexOf('version')}`;
  // A plant without a version has version 1.
  const isFirst = version === 2n ? `attribute_not_exists(${current}) OR ` : '';
  return {
    Key: { id: plant.id },
    UpdateExpression: set + remove,
    ConditionExpression: `attribute_exists(#id) AND (${isFirst}${current} = :before)`,
    ExpressionAttributeNames: {
      '#id': 'id',
      ...Object.fromEntries(properties.map(({ n, name }) => [`#${n}`, name])),
    },
    ExpressionAttributeValues: {
      ':before': version - 1n,
      ...Object.fromEntries(there.map(({ n, value }) => [`:${n}`, value])),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}
