import { integer } from './property-types/integer.ts';
import { object } from './property-types/object.ts';
import type { PropertyType } from './property-types/property-type.ts';
import { text } from './property-types/text.ts';

/** The response of the service: the plant as it is stored, without its id (specification, "Plant"). */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** What a client sends to create a plant (specification, "NewPlant"). The id is an exact int64. */
export interface NewPlant extends Plant {
  readonly id: bigint;
}

/**
 * The properties of a plant, in the order of the response; their types are in property-types/. The check of a body, the item, its
 * size, the comparison with a stored item and the response are made from this list. The compiler holds it to {@link NewPlant}.
 */
export const PROPERTIES = {
  id: { type: integer(), required: true },
  name: { type: text(), required: true },
  tag: { type: text(), required: false },
} as const satisfies {
  readonly [Name in keyof NewPlant]-?: {
    readonly type: PropertyType<Exclude<NewPlant[Name], undefined>>;
    readonly required: undefined extends NewPlant[Name] ? false : true;
  };
};

/** What the function does with a whole plant. */
export const NEW_PLANT: PropertyType<NewPlant> = object(PROPERTIES);

export type PropertyName = keyof typeof PROPERTIES;

/** The names of {@link PROPERTIES}. */
export const PROPERTY_NAMES = Object.keys(PROPERTIES) as readonly PropertyName[];

/** The names of the properties of a {@link Plant}. */
export const PLANT_NAMES = PROPERTY_NAMES.filter((name) => name !== 'id');

/** What the function does with the values of a property. */
export function typeOf(name: PropertyName): PropertyType<unknown> {
  return PROPERTIES[name].type;
}
