import { performer } from './call.ts';
import type { CreatePlantOptions, PlantStoreOptions } from './options.ts';
import { isSamePlant, type NewPlant, type Plant, toSend } from './plant.ts';

export { FIRST_PAUSE_MS, LONGEST_PAUSE_MS } from './call.ts';
export { PlantStoreError, type PublishedErrorNumber } from './errors.ts';
export {
  ATTEMPT_TIMEOUT_MS,
  type CreatePlantOptions,
  type Fetch,
  type PlantStoreOptions,
  TIMEOUT_MS,
} from './options.ts';
export type { NewPlant, Plant } from './plant.ts';

export interface PlantStore {
  /**
   * Creates a plant, and retries where that helps. Calling this twice with the same plant is safe.
   * @returns the stored plant, without its id
   * @throws TypeError or RangeError before anything is sent, if the plant cannot be sent unchanged
   * @throws PlantStoreError if the request was refused, or no readable response came in time
   * @throws the signal's reason as soon as it is aborted, or what `token` or `onRetry` throws; an earlier attempt may have
   * stored the plant
   */
  createPlant(plant: NewPlant, options?: CreatePlantOptions): Promise<Plant>;
}

/**
 * Creates a client. Sends nothing yet.
 * @throws TypeError or RangeError if an option is invalid
 */
export function createPlantStore(options: PlantStoreOptions): PlantStore {
  const perform = performer(options);
  return {
    async createPlant(newPlant, ofCall) {
      const sent = toSend(newPlant);
      const resultOf = (content: object) => (isSamePlant(content, sent) ? sent.plant : undefined);
      return perform({ method: 'POST', path: '/plants', body: sent.body, resultOf }, ofCall);
    },
  };
}
