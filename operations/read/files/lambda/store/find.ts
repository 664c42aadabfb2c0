import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { Failure } from '../errors.ts';
import { NEW_PLANT, type NewPlant } from '../plant.ts';
import { plantKey } from './plant-key.ts';
import type { PlantTable } from './plant-table.ts';
import { callStore, type StoreCalls } from './store.ts';

/** Reads a plant. @throws Failure 40402 when nobody has the id; 42901, 50001 or 50301 when it cannot be read */
export type Find = (id: NewPlant['id'], calls: StoreCalls) => Promise<NewPlant>;

/** The read of plants in a table. */
export function findIn({ client, name }: PlantTable): Find {
  return async (id, calls) => {
    const get = new GetItemCommand({ TableName: name, Key: plantKey(id), ConsistentRead: true });
    const attempt = () => client.send(get, { abortSignal: calls.signal });
    const { Item: item } = await callStore('read', attempt, calls);
    // A newer version, live at the same time, may have deleted it.
    if (!item || item.deletedAt) throw new Failure('NO_SUCH_PLANT');
    const plant = NEW_PLANT.decode({ M: item });
    if (plant?.id !== id) throw new Failure('SERVICE_FAULT', { fault: 'damaged response' });
    return plant;
  };
}
