import { idJson } from './key.ts';
import { OPENAPI, type Schema } from './openapi.ts';

export type Plant = Readonly<Record<string, unknown>>;

const { properties, required } = OPENAPI.components.schemas.NewPlant as {
  readonly properties: Readonly<Record<string, Schema & { readonly examples: readonly unknown[] }>>;
  readonly required: readonly string[];
};

/** The properties of a plant, with its id, and the names of those that it must have. */
export const PROPERTIES = properties;
export const REQUIRED = Object.keys(properties).filter((name) => required.includes(name));

/** The examples of each property of a plant but its id: at least two, which differ. */
export const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = Object.fromEntries(
  Object.entries(properties).flatMap(([name, { examples }]) => (name === 'id' ? [] : [[name, examples]])),
);

/** A plant with all properties but the id; the plant with the required ones only; and another one of these. */
export const WHOLE = plantOf(Object.keys(EXAMPLES), 0);
export const LEAST = plantOf(required, 0);
export const OTHER = plantOf(required, 1);

/** The names of the texts: first those without limits. A choice, a text of a pattern and one with a format are none. */
const TEXTS = Object.keys(EXAMPLES)
  .filter((name) => {
    const { type, format, enum: values, pattern } = properties[name] ?? {};
    return type === 'string' && !format && !values && !pattern;
  })
  .sort((a, b) => Number(hasLimits(a)) - Number(hasLimits(b)));

/**
 * A required text, which tests vary; undefined if there is none. Cases about it are then left out, and those that do not fit its limits, if
 * it has some.
 */
export const TEXT = TEXTS.find((name) => Object.hasOwn(LEAST, name));

/** An optional text; undefined if there is none. */
export const OPTIONAL_TEXT = TEXTS.find((name) => !Object.hasOwn(LEAST, name));

/** Whether a property, if it is a text, may have only some lengths. */
export function hasLimits(name: string): boolean {
  return properties[name]?.minLength !== undefined || properties[name]?.maxLength !== undefined;
}

/** Whether a text has a length that a property may have. */
export function fits(name: string, text: string): boolean {
  // Some cases have a megabyte.
  if (!hasLimits(name)) return true;
  const { minLength = 0, maxLength = Infinity } = properties[name] ?? {};
  const { length } = [...text];
  return length >= minLength && length <= maxLength;
}

/** The text of a request for a plant. @param id its number, or a text */
export function bodyOf(id: number | bigint | string, plant: Plant = LEAST): string {
  return `{"id":${idJson(id)},${JSON.stringify(plant).slice(1)}`;
}

function plantOf(names: readonly string[], index: number): Plant {
  return Object.fromEntries(
    // In the order of a response.
    Object.entries(EXAMPLES).flatMap(([name, examples]) =>
      names.includes(name) ? [[name, examples[index]]] : [],
    ),
  );
}
