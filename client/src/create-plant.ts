import type { Perform } from './call.ts';
import type { CallOptions } from './options.ts';
import { toSend } from './plant.ts';
import type { NewPlant, Plant } from './properties.ts';

const CALL = {
  method: 'POST',
  path: '/plants',
  mayStore: true,
  ifLost: 'the plant may have been stored',
} as const;

/** `createPlant` of a client. */
export function createPlant(perform: Perform) {
  return async (plant: NewPlant, ofCall?: CallOptions): Promise<Plant> =>
    perform({ ...CALL, ...toSend(plant) }, ofCall);
}
