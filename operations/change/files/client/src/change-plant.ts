import type { Perform } from './call.ts';
import type { CallOptions } from './options.ts';
import { toSend } from './plant.ts';
import { plantPath } from './plant-path.ts';
import type { NewPlant, Plant } from './properties.ts';

const CALL = { method: 'PUT', mayStore: true, ifLost: 'the plant may have been changed' } as const;

/** `changePlant` of a client. */
export function changePlant(perform: Perform) {
  return async (plant: NewPlant, ofCall?: CallOptions): Promise<Plant> => {
    const sent = toSend(plant);
    return perform({ ...CALL, path: plantPath(plant.id), ...sent }, ofCall);
  };
}
