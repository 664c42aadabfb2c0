import { type Json, NumberLiteral } from '../../lambda/json.ts';
import { parseInt64 } from '../../lambda/property-types/int64.ts';
import { shortNumber } from '../shared/short-number.ts';

type Properties = ReadonlyMap<string, Json>;

/**
 * Reads a line of DynamoDB's own export to S3, such as `{"Item":{"id":{"N":"7"},"name":{"S":"Fern"}}}`, or such an item alone, as the AWS
 * CLI prints it.
 * @param ignored the name of a property that the line may have beside its item, or beside the attributes
 * @returns undefined for any other line
 */
export function exportedItem(line: Properties, ignored: string): Properties | undefined {
  const isAlone = isKey(line.get('id'));
  const item = isAlone ? line : line.get('Item');
  if (!(item instanceof Map) || (!isAlone && line.size > (line.has(ignored) ? 2 : 1))) return undefined;
  const properties = new Map([...item].map(([name, value]) => [name, plainValue(value)]));
  const beside = line.get(ignored);
  // Why it was refused has a line, which no attribute has.
  if (isAlone && beside instanceof Map && beside.has('line')) properties.delete(ignored);
  return properties;
}

/** The id of a plant is no object, so this one is an attribute. */
function isKey(id: Json | undefined): boolean {
  return id instanceof Map && id.size === 1 && (id.has('N') || id.has('S'));
}

/** The value of an attribute; one that JSON does not have, such as a set, is as it was, and no property has such a value. */
function plainValue(attribute: Json): Json {
  const [[type, value] = ['', null]]: [string, Json][] =
    attribute instanceof Map && attribute.size === 1 ? [...attribute] : [];
  if (type === 'NULL') return null;
  if (type === 'N' && typeof value === 'string') return new NumberLiteral(plainNumber(value));
  if (type === 'L' && Array.isArray(value)) return value.map(plainValue);
  if (type === 'M' && value instanceof Map)
    return new Map([...value].map(([name, each]) => [name, plainValue(each)]));
  const isPlain =
    (type === 'S' && typeof value === 'string') || (type === 'BOOL' && typeof value === 'boolean');
  return isPlain ? value : attribute;
}

/** DynamoDB's numbers are decimal: one with an exponent has lost no digit. */
function plainNumber(text: string): string {
  const value = text.length < 200 ? parseInt64(text) : undefined;
  return typeof value === 'bigint' ? String(value) : shortNumber(text);
}
