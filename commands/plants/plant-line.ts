import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Failure } from '../../lambda/errors.ts';
import { PROPERTIES, type PropertyName } from '../../lambda/plant.ts';
import type { TypeName } from '../../lambda/property-types.ts';
import { newPlant } from '../../lambda/request/new-plant.ts';

/** An item of the table, in DynamoDB's own JSON: lib-dynamodb would turn its id into a double. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** A number as DynamoDB writes it, with at most 38 digits. */
const NUMBER = /^-?\d+(\.\d+)?(E[+-]?\d{1,3})?$/i;

/** The JSON text of an attribute; undefined if it has another type. */
const TO_JSON = {
  integer: ({ N: number = '' }) => (NUMBER.test(number) ? number : undefined),
  string: ({ S: text }) => JSON.stringify(text),
} satisfies Record<TypeName, (attribute: AttributeValue) => string | undefined>;

/**
 * The line of a plant in NDJSON, without its line break: `npm run import` reads the same plant from it.
 * @returns undefined if the item is not exactly a plant
 */
export function plantLine(item: Item): string | undefined {
  const properties = new Map<string, string>();
  for (const [name, attribute] of Object.entries(item)) {
    if (!Object.hasOwn(PROPERTIES, name)) return undefined;
    const json = TO_JSON[PROPERTIES[name as PropertyName].type.schema.type](attribute ?? {});
    if (json === undefined) return undefined;
    properties.set(name, json);
  }
  try {
    const { id, ...plant } = newPlant(properties);
    // `JSON.stringify` cannot write an int64.
    return `{"id":${id},${JSON.stringify(plant).slice(1)}`;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
