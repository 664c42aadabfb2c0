import type { Perform } from './call.ts';
import type { CreatePlantOptions } from './options.ts';
import { checkedValues } from './plant.ts';
import { type NewPlant, type Plant, PROPERTIES } from './properties.ts';

/** `readPlant` of a client. */
export function readPlant(perform: Perform) {
  return async (id: NewPlant['id'], ofCall?: CreatePlantOptions): Promise<Plant> => {
    const path = `/plants/${encodeURIComponent(String(id))}`;
    const call = { method: 'GET', path, mayStore: false, ifLost: 'nothing was stored' };
    return perform({ ...call, resultOf: plantIn }, ofCall);
  };
}

/**
 * The plant of a response. A later version of the service may have more properties. An integer is a `bigint` if a `number` cannot hold it.
 * @returns undefined if it is none
 */
function plantIn(content: Readonly<Record<string, unknown>>): Plant | undefined {
  const { id: _, ...properties } = PROPERTIES;
  try {
    return checkedValues(content, properties) as unknown as Plant;
  } catch {
    return undefined;
  }
}
