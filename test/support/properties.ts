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

/** The properties that a plant may lack. */
export const OPTIONAL = Object.keys(WITHOUT_ID).filter((name) => !SCHEMAS.NewPlant.required.includes(name));

/** A plant as the function reads it: its integers are bigints. */
export function asRead(plant: Plant): Plant {
  const read = (value: unknown) => (typeof value === 'number' ? BigInt(value) : value);
  return Object.fromEntries(Object.entries(plant).map(([name, value]) => [name, read(value)]));
}

/** A plant with the first example of every property. */
export const WHOLE: Plant = { id: SCHEMAS.NewPlant.properties.id?.examples?.[0], ...WITHOUT_ID };
