import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Failure } from '../../lambda/errors.ts';
import { PROPERTIES, PROPERTY_NAMES } from '../../lambda/plant.ts';
import { newPlant } from '../../lambda/request/new-plant.ts';

/** An item of the table, in DynamoDB's own JSON: lib-dynamodb would turn its id into a double. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** A number as DynamoDB writes it, with at most 38 digits. */
const NUMBER = /^-?\d+(\.\d+)?(E[+-]?\d{1,3})?$/i;

/**
 * The line of an item in NDJSON, without its line break: `npm run import` reads the same plant from it.
 * @returns also whether the item is exactly a plant of this version, which alone an import accepts
 */
export function itemLine(item: Item): { line: string; isPlant: boolean } {
  const names = new Set([...PROPERTY_NAMES.filter((name) => item[name]), ...Object.keys(item)]);
  const properties = new Map([...names].map((name) => [name, jsonOf(item[name] as AttributeValue)]));
  const pairs = [...properties].map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return { line: `{${pairs}}`, isPlant: isPlant(properties) };
}

/** Text, a number in its own digits, true or false; anything else as DynamoDB's JSON, which names the type. */
function jsonOf(attribute: AttributeValue): string {
  const { S: text, N: number, BOOL: boolean } = attribute;
  if (number !== undefined && NUMBER.test(number)) return number;
  const bytesAsBase64 = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return JSON.stringify(text ?? boolean ?? attribute, bytesAsBase64);
}

function isPlant(properties: ReadonlyMap<string, string>): boolean {
  try {
    newPlant(properties);
    return [...properties.keys()].every((name) => Object.hasOwn(PROPERTIES, name));
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
