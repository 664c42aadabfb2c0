import { Failure } from '../errors.ts';
import type { Json } from '../json.ts';
import { MAX_JSON_DEPTH } from '../limits.ts';
import { NEW_PLANT, type NewPlant, PROPERTY_NAMES, typeOf } from '../plant.ts';

/** The types of JSON Schema whose values may need levels of lists and objects. */
const NESTED = ['array', 'object'];

/** The properties of a body that are built, and their levels: a list or an object in place of a text is not. */
export const NEEDED: ReadonlyMap<string, number> = new Map(
  PROPERTY_NAMES.map((name) => [name, NESTED.includes(typeOf(name).schema.type) ? MAX_JSON_DEPTH : 0]),
);

/**
 * Checks that a value is a NewPlant, and returns only its declared properties.
 * @throws Failure 40002 whose message names the property and what it must be
 */
export function checkPlant(value: Json): NewPlant {
  if (!(value instanceof Map)) throw new Failure('INVALID_PLANT');
  return NEW_PLANT.read(value, { path: '' });
}
