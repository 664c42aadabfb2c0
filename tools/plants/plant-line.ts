import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Failure } from '../../lambda/errors.ts';
import { type KindName, parseInt64 } from '../../lambda/kinds.ts';
import { PROPERTIES, type PropertyName } from '../../lambda/plant.ts';
import { newPlant } from '../../lambda/request/new-plant.ts';
import { UsageError } from '../../terminal/command-line.ts';

/** An item of the table, in DynamoDB's own JSON: lib-dynamodb would turn its id into a double. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** A number as DynamoDB writes it, with at most 38 digits. */
const NUMBER = /^-?\d+(\.\d+)?(E[+-]?\d{1,3})?$/i;

/** The JSON text of an attribute; undefined if it has another type. */
const TO_JSON = {
  id: ({ N: number = '' }) => (NUMBER.test(number) ? number : undefined),
  text: ({ S: text }) => JSON.stringify(text),
} satisfies Record<KindName, (attribute: AttributeValue) => string | undefined>;

/**
 * The line of a plant in NDJSON, without its line break: `npm run import` reads the same plant from it.
 * @returns undefined if the item is not exactly a plant
 */
export function plantLine(item: Item): string | undefined {
  const properties = new Map<string, string>();
  for (const [name, attribute] of Object.entries(item)) {
    if (!Object.hasOwn(PROPERTIES, name)) return undefined;
    const json = TO_JSON[PROPERTIES[name as PropertyName].kind](attribute ?? {});
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

/** The id of an item. @returns why it is none, if it is not an int64 */
export function idOf(item: Item): bigint | 'fraction' | 'range' {
  const number = item.id?.N ?? '';
  return NUMBER.test(number) ? parseInt64(number) : 'fraction';
}

/**
 * Reads an id on the command line.
 * @returns its digits
 * @throws UsageError if it is not an int64 in plain digits
 */
export function idNamed(text: string): string {
  const isPlain = /^(0|-?[1-9]\d{0,18})$/.test(text) && typeof parseInt64(text) === 'bigint';
  if (isPlain) return text;
  throw new UsageError(
    'The id must be an integer from -9223372036854775808 to 9223372036854775807, in plain digits.',
  );
}
