import { Failure } from '../errors.ts';
import type { Json } from '../json.ts';
import { MAX_JSON_DEPTH } from '../limits.ts';
import { NEW_PLANT, type NewPlant, PROPERTY_NAMES, typeOf } from '../plant.ts';
import type { TypeName } from '../property-types/property-type.ts';

/** How many levels of lists and objects a value may need. */
const LEVELS: Readonly<Record<TypeName, number>> = {
  integer: 0,
  number: 0,
  string: 0,
  boolean: 0,
  array: MAX_JSON_DEPTH,
  object: MAX_JSON_DEPTH,
};

/** The properties of a body that are built, and their levels: a list or an object in place of a text is not. */
export const NEEDED: ReadonlyMap<string, number> = new Map(
  PROPERTY_NAMES.map((name) => [name, LEVELS[typeOf(name).schema.type]]),
);

/**
 * Checks that a value is a NewPlant, and returns only its declared properties.
 * @throws Failure 40002 whose message names the property and what it must be
 */
export function checkPlant(value: Json): NewPlant {
  if (!(value instanceof Map)) throw new Failure('INVALID_PLANT');
  return NEW_PLANT.read(value, { path: '' });
}
