import { OPENAPI } from '../../contract/openapi.ts';

export type Plant = Record<string, unknown>;

export interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  readonly required: readonly string[];
}

export const SCHEMAS = OPENAPI.components.schemas as Record<'NewPlant' | 'Plant', Schema>;
export const SENT = Object.keys(SCHEMAS.NewPlant.properties);
export const TEXTS = SENT.filter((name) => name !== 'id');
export const RETURNED = Object.keys(SCHEMAS.Plant.properties);
export const OPTIONAL = TEXTS.filter((name) => !SCHEMAS.NewPlant.required.includes(name));

/** A plant with every property; the texts differ. */
export const WHOLE: Plant = Object.fromEntries(SENT.map((name) => [name, name === 'id' ? 7 : `a ${name}`]));
