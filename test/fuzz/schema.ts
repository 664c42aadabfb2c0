import { OPENAPI } from '../../contract/openapi.ts';

interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  readonly required: readonly string[];
}
const { NewPlant, Plant } = OPENAPI.components.schemas as Record<'NewPlant' | 'Plant', Schema>;

/** The properties of a NewPlant that are texts, in the order of the schema. */
export const TEXTS = Object.keys(NewPlant.properties).filter(
  (name) => NewPlant.properties[name]?.type === 'string',
);

/** Those of them that must be given. */
export const REQUIRED_TEXTS = TEXTS.filter((name) => NewPlant.required.includes(name));

/** Those of them that the response has. */
export const RETURNED_TEXTS = TEXTS.filter((name) => Object.hasOwn(Plant.properties, name));
