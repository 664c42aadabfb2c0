import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PROPERTY_NAMES } from '../../lambda/plant.ts';

/** An item of the table, in DynamoDB's own JSON: lib-dynamodb would turn its id into a double. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** A number as DynamoDB writes it, with at most 38 digits. */
const NUMBER = /^-?\d+(\.\d+)?(E[+-]?\d{1,3})?$/i;

/** The line of an item in NDJSON, without its line break: `npm run import` reads the same plant from it. */
export function itemLine(item: Item): string {
  const names = new Set([...PROPERTY_NAMES.filter((name) => item[name]), ...Object.keys(item)]);
  const pairs = [...names].map((name) => `${JSON.stringify(name)}:${jsonOf(item[name] as AttributeValue)}`);
  return `{${pairs}}`;
}

/** The id with which a line of {@link itemLine} begins, in its own digits. @returns undefined for any other text */
export function idOfLine(line: string): string | undefined {
  return /^\{"id":(-?\d+)[,}]/.exec(line)?.[1];
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
