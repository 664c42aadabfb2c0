import { PROPERTIES } from './properties.ts';
import { object } from './property-types/object.ts';
import type { PropertyType } from './property-types/property-type.ts';

export { PROPERTIES };

/** What the function does with a whole plant: the check of a body, the item, its size, the comparison with a stored item. */
export const NEW_PLANT = object(PROPERTIES);

/** What a client sends to create a plant. An id that is a number is an exact int64. */
export type NewPlant = ReturnType<typeof NEW_PLANT.read>;

/** The response of the service: the plant as it is stored, without its id. */
export type Plant = Omit<NewPlant, 'id'>;

export type PropertyName = keyof typeof PROPERTIES;

/** The names of {@link PROPERTIES}. */
export const PROPERTY_NAMES = Object.keys(PROPERTIES) as readonly PropertyName[];

/** The names of the properties of a {@link Plant}. */
export const PLANT_NAMES = PROPERTY_NAMES.filter((name) => name !== 'id');

/** What the function does with the values of a property. */
export function typeOf(name: PropertyName): PropertyType<unknown> {
  return PROPERTIES[name].type;
}
