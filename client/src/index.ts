export {
  type ErrorNumber,
  PlantStoreError,
  type PublishedErrorNumber,
  type UnknownErrorNumber,
} from './errors.ts';
export type { NewPlant, Plant } from './plant.ts';
export {
  type CreatePlantOptions,
  createPlantStore,
  type Fetch,
  type PlantStore,
  type PlantStoreOptions,
} from './plant-store.ts';
