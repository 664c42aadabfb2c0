import { OPENAPI } from './openapi.ts';

export type Plant = Readonly<Record<string, unknown>>;

interface Schema {
  readonly properties: Readonly<
    Record<
      string,
      { readonly type: string; readonly maxLength?: number; readonly examples: readonly unknown[] }
    >
  >;
  readonly required: readonly string[];
}

const { properties, required } = OPENAPI.components.schemas.NewPlant as Schema;

/** The examples of each property of a plant but its id: at least two, which differ. */
export const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = Object.fromEntries(
  Object.entries(properties).flatMap(([name, { examples }]) => (name === 'id' ? [] : [[name, examples]])),
);

/** A plant with all properties but the id; the plant with the required ones only; and another one of these. */
export const WHOLE = plantOf(Object.keys(EXAMPLES), 0);
export const LEAST = plantOf(required, 0);
export const OTHER = plantOf(required, 1);

const TEXTS = Object.keys(EXAMPLES).filter(
  (name) => properties[name]?.type === 'string' && properties[name].maxLength === undefined,
);

/** A property whose values are texts of any length, for tests that need many plants or a large one. */
export const TEXT = TEXTS.find((name) => name in LEAST) as string;

/** An optional property whose values are texts of any length; undefined if there is none. */
export const OPTIONAL_TEXT = TEXTS.find((name) => !(name in LEAST));

/** The text of a request for a plant. @param id in digits */
export function bodyOf(id: number | bigint | string, plant: Plant = LEAST): string {
  return `{"id":${id},${JSON.stringify(plant).slice(1)}`;
}

function plantOf(names: readonly string[], index: number): Plant {
  return Object.fromEntries(
    names.filter((name) => name in EXAMPLES).map((name) => [name, EXAMPLES[name]?.[index]]),
  );
}
