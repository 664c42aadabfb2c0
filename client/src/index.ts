import { performer } from './call.ts';
import { createPlant } from './create-plant.ts';
import type { CallOptions, PlantStoreOptions } from './options.ts';
import type { NewPlant, Plant } from './properties.ts';

export { FIRST_PAUSE_MS, LONGEST_PAUSE_MS } from './call.ts';
export { PlantStoreError } from './errors.ts';
export {
  ATTEMPT_TIMEOUT_MS,
  type CallOptions,
  type Fetch,
  type PlantStoreOptions,
  TIMEOUT_MS,
} from './options.ts';
export type { NewPlant, Plant } from './properties.ts';
export type { PublishedErrorNumber } from './published-errors.ts';

/** A file beside this one for each method. */
export interface PlantStore {
  /**
   * Creates a plant, and retries where that helps. Calling this twice with the same plant is safe.
   * @returns the stored plant, without its id
   * @throws TypeError or RangeError before anything is sent, if the plant cannot be sent unchanged
   * @throws PlantStoreError if the request was refused, or no readable response came in time
   * @throws the signal's reason as soon as it is aborted, or what `token` or `onRetry` throws; an earlier attempt may have
   * stored the plant
   * @example
   * ```ts
   * const stored = await plants.createPlant(plant, { timeoutMs: 5_000 });
   * ```
   */
  createPlant(plant: NewPlant, options?: CallOptions): Promise<Plant>;
}

/**
 * Creates a client. Sends nothing yet.
 * @throws TypeError or RangeError if an option is invalid
 * @example
 * ```ts
 * const plants = createPlantStore({
 *   baseUrl: 'https://plants.example.com/prod',
 *   token: () => currentToken(),
 *   timeoutMs: 5_000,
 *   onRetry: ({ error }, pauseMs) => console.warn(`${error}: retrying in ${pauseMs} ms`),
 * });
 * ```
 */
export function createPlantStore(options: PlantStoreOptions): PlantStore {
  const perform = performer(options);
  return {
    createPlant: createPlant(perform),
  };
}
