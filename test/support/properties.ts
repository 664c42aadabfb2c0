import { EXAMPLES, fits, type Plant, TEXT, WHOLE as WITHOUT_ID } from '../../contract/examples.ts';
import { OPENAPI } from '../../contract/openapi.ts';

export type { Plant } from '../../contract/examples.ts';

export interface Schema {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
}

interface Property {
  readonly type: string;
  readonly examples?: unknown[];
  readonly items?: Property;
  readonly properties?: Schema['properties'];
}

export const SCHEMAS = OPENAPI.components.schemas as Record<'NewPlant' | 'Plant', Schema>;
export const SENT = Object.keys(SCHEMAS.NewPlant.properties);
export const RETURNED = Object.keys(SCHEMAS.Plant.properties);

/** The properties that a plant may lack. */
export const OPTIONAL = Object.keys(WITHOUT_ID).filter((name) => !SCHEMAS.NewPlant.required.includes(name));

/** A plant as the function reads it: its integers are bigints, also in lists and objects. */
export function asRead(plant: Plant): Plant {
  return valueAsRead({ type: 'object', properties: SCHEMAS.NewPlant.properties }, plant) as Plant;
}

function valueAsRead({ type, items, properties }: Property, value: unknown): unknown {
  if (type === 'integer') return BigInt(value as number);
  if (items) return (value as unknown[]).map((each) => valueAsRead(items, each));
  if (!properties) return value;
  const read = (name: string, each: unknown) => [name, valueAsRead(properties[name] as Property, each)];
  return Object.fromEntries(Object.entries(value as Plant).map(([name, each]) => read(name, each)));
}

/** A plant with the first example of every property. */
export const WHOLE: Plant = { id: SCHEMAS.NewPlant.properties.id?.examples?.[0], ...WITHOUT_ID };

/** The fields of a plant as a row of CSV, in the order of its properties. */
export function csvFields(plant: Plant): string {
  const fields = Object.values(plant).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return fields.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join();
}

/** A text, or an example if the limits of the model do not allow it. */
export function fitting(text: string): string {
  return fits(TEXT, text) ? text : String(EXAMPLES[TEXT]?.[0]);
}
