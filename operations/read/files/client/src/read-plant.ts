import type { Perform } from './call.ts';
import type { CallOptions } from './options.ts';
import { checkedValues } from './plant.ts';
import { plantPath } from './plant-path.ts';
import { type NewPlant, type Plant, PROPERTIES } from './properties.ts';

/** `readPlant` of a client. */
export function readPlant(perform: Perform) {
  return async (id: NewPlant['id'], ofCall?: CallOptions): Promise<Plant> => {
    const call = { method: 'GET', path: plantPath(id), mayStore: false, ifLost: 'nothing was stored' };
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
