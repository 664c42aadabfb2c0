import { OPENAPI } from '../../contract/openapi.ts';

export type Plant = Record<string, unknown>;

export interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: string; readonly examples?: unknown[] }>>;
  readonly required: readonly string[];
}

export const SCHEMAS = OPENAPI.components.schemas as Record<'NewPlant' | 'Plant', Schema>;
export const SENT = Object.keys(SCHEMAS.NewPlant.properties);
export const OTHERS = SENT.filter((name) => name !== 'id');
export const RETURNED = Object.keys(SCHEMAS.Plant.properties);

/** A plant with the first example of every property. */
export const WHOLE: Plant = Object.fromEntries(
  SENT.map((name) => [name, SCHEMAS.NewPlant.properties[name]?.examples?.[0]]),
);

/** What a plant must have, and one more property, so that each property fails alone. */
export function plantWith(property: string): Plant {
  return Object.fromEntries([...SCHEMAS.NewPlant.required, property].map((name) => [name, WHOLE[name]]));
}
