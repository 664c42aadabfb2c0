import { Failure } from '../errors.ts';
import { type NewPlant, PROPERTIES, PROPERTY_NAMES, type PropertyName, typeOf } from '../plant.ts';
import { missing } from '../property-types/property-type.ts';
import type { Properties } from './json.ts';

/**
 * Checks that a JSON object is a NewPlant, and returns only its declared properties.
 * @param properties the properties' JSON texts, from {@link parseJson}; undefined if the body is not an object
 * @throws Failure 40002 whose message names the property and what it must be
 */
export function newPlant(properties: Properties | undefined): NewPlant {
  if (properties === undefined) throw new Failure('INVALID_PLANT');
  const plant: Partial<Record<PropertyName, unknown>> = {};
  for (const name of PROPERTY_NAMES) {
    const json = properties.get(name);
    const { required } = PROPERTIES[name];
    const { read, mustBe } = typeOf(name);
    if (json !== undefined) plant[name] = read(json, { path: name, isOptional: !required });
    else if (required) throw missing(name, mustBe);
  }
  return plant as NewPlant;
}
