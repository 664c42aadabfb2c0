import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Json, jsonOf, NumberLiteral } from '../../lambda/json.ts';
import { PROPERTY_NAMES } from '../../lambda/plant.ts';
import { parseInt64 } from '../../lambda/property-types/int64.ts';
import { parseJson } from '../../lambda/request/parse-json.ts';
import { shortNumber } from '../shared/short-number.ts';

/** An item of the table, in DynamoDB's own JSON: lib-dynamodb would turn its id into a double. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** A number as DynamoDB writes it, with at most 38 digits. */
const NUMBER = /^-?\d+(\.\d+)?(E[+-]?\d{1,3})?$/i;

/** The line of an item in NDJSON, without its line break: `npm run import` reads the same plant from it. */
export function itemLine(item: Item): string {
  return jsonOf(itemValue(item));
}

/**
 * The value of an item's line: numbers in their own digits; what JSON does not have as DynamoDB's JSON, which names the type. The id is in
 * plain digits, by which lines are compared: another store than DynamoDB may answer with `7.0`.
 */
export function itemValue(item: Item): ReadonlyMap<string, Json> {
  const names = new Set([
    ...PROPERTY_NAMES.filter((name) => Object.hasOwn(item, name)),
    ...Object.keys(item),
  ]);
  const value = new Map([...names].map((name) => [name, attributeValue(item[name] as AttributeValue)]));
  const id = parseInt64(item.id?.N ?? '');
  return typeof id === 'bigint' ? value.set('id', new NumberLiteral(String(id))) : value;
}

function attributeValue(attribute: AttributeValue): Json {
  const bytesAsBase64 = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return plainValue(attribute) ?? parseJson(JSON.stringify(attribute, bytesAsBase64));
}

/** @returns undefined if JSON has no such value, or the value has a part of which it has none */
function plainValue({
  S: text,
  N: number,
  BOOL: boolean,
  L: list,
  M: map,
}: AttributeValue): Json | undefined {
  if (number !== undefined && NUMBER.test(number)) return new NumberLiteral(shortNumber(number));
  if (text !== undefined || boolean !== undefined) return text ?? boolean;
  const parts = Object.entries(list ?? map ?? {}).map(([key, part]) => [key, plainValue(part)] as const);
  const plain = parts.filter((part): part is [string, Json] => part[1] !== undefined);
  if (!(list || map) || plain.length < parts.length) return undefined;
  return list ? plain.map(([, part]) => part) : new Map(plain);
}
