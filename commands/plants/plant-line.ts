import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Failure } from '../../lambda/errors.ts';
import { PROPERTY_NAMES } from '../../lambda/plant.ts';
import { newPlant } from '../../lambda/request/new-plant.ts';
import { unknownProperty } from '../shared/unknown-property.ts';

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

/** A value that JSON has, numbers in their own digits; anything else as DynamoDB's JSON, which names the type. */
function jsonOf(attribute: AttributeValue): string {
  const bytesAsBase64 = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return plainJson(attribute) ?? JSON.stringify(attribute, bytesAsBase64);
}

/** @returns undefined if JSON has no such value, or the value has a part of which it has none */
function plainJson({
  S: text,
  N: number,
  BOOL: boolean,
  L: list,
  M: map,
}: AttributeValue): string | undefined {
  if (number !== undefined && NUMBER.test(number)) return number;
  if (text !== undefined || boolean !== undefined) return JSON.stringify(text ?? boolean);
  const parts = Object.entries(list ?? map ?? {}).map(([key, value]) => [key, plainJson(value)] as const);
  if (!(list || map) || parts.some(([, json]) => json === undefined)) return undefined;
  if (list) return `[${parts.map(([, json]) => json)}]`;
  return `{${parts.map(([key, json]) => `${JSON.stringify(key)}:${json}`)}}`;
}

function isPlant(properties: ReadonlyMap<string, string>): boolean {
  try {
    newPlant(properties);
    return unknownProperty(properties) === undefined;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
