import { type Plant, WHOLE as WITHOUT_ID } from '../../contract/examples.ts';
import { OPENAPI } from '../../contract/openapi.ts';

export type { Plant } from '../../contract/examples.ts';

export interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: string; readonly examples?: unknown[] }>>;
  readonly required: readonly string[];
}

export const SCHEMAS = OPENAPI.components.schemas as Record<'NewPlant' | 'Plant', Schema>;
export const SENT = Object.keys(SCHEMAS.NewPlant.properties);
export const RETURNED = Object.keys(SCHEMAS.Plant.properties);

/** A plant with the first example of every property. */
export const WHOLE: Plant = { id: SCHEMAS.NewPlant.properties.id?.examples?.[0], ...WITHOUT_ID };
