import { Failure } from '../../lambda/errors.ts';
import { type Json, NumberLiteral } from '../../lambda/json.ts';
import { parseInt64 } from '../../lambda/property-types/int64.ts';
import { shortNumber } from '../shared/short-number.ts';

type Properties = ReadonlyMap<string, Json>;

/**
 * The item in a line of DynamoDB's own export to S3, such as `{"Item":{"id":{"N":"7"},"name":{"S":"Fern"}}}`.
 * @param ignored the name of a property that the line may have beside its item
 * @returns undefined for any other line
 */
export function wrappedItem(line: Properties, ignored: string): Properties | undefined {
  const item = line.get('Item');
  return item instanceof Map && line.size === (line.has(ignored) ? 2 : 1) ? item : undefined;
}

/**
 * The attributes of a line that is an item of DynamoDB: in its export, or alone, as the AWS CLI prints it.
 * @param ignored the name of a property that the line may have beside its item, or beside the attributes
 * @returns undefined for any other line
 */
export function exportedItem(line: Properties, ignored: string): Properties | undefined {
  if (!isKey(line.get('id'))) return wrappedItem(line, ignored);
  const beside = line.get(ignored);
  // Why it was refused has a line, which no attribute has.
  if (!(beside instanceof Map && beside.has('line'))) return line;
  const item = new Map(line);
  item.delete(ignored);
  return item;
}

/** The id of a plant is no object, so this one is an attribute. */
function isKey(id: Json | undefined): boolean {
  return id instanceof Map && id.size === 1 && (id.has('N') || id.has('S'));
}

/** What JSON does not have, and what to make of it. */
const FOREIGN: Readonly<Record<string, string>> = {
  SS: 'a set of texts (SS): make a list (L) of it',
  NS: 'a set of numbers (NS): make a list (L) of it',
  BS: 'a set of binary values (BS): make a list (L) of texts (S) of it',
  B: 'binary (B): make a text (S) of it',
};

/**
 * The values of an item's attributes. What is no attribute is returned as it is, and no property has such a value.
 * @throws Failure 40002 at a set and a binary value
 */
export function plainItem(item: Properties, path = ''): Properties {
  const at = (name: string) => (path ? `${path}.${name}` : name);
  return new Map([...item].map(([name, attribute]) => [name, plainValue(attribute, at(name))]));
}

function plainValue(attribute: Json, path: string): Json {
  const [[type, value] = ['', null]]: [string, Json][] =
    attribute instanceof Map && attribute.size === 1 ? [...attribute] : [];
  if (type === 'NULL') return null;
  if (type === 'N' && typeof value === 'string') return new NumberLiteral(plainNumber(value));
  if (type === 'L' && Array.isArray(value)) return value.map((each, n) => plainValue(each, `${path}[${n}]`));
  if (type === 'M' && value instanceof Map) return plainItem(value, path);
  if (Object.hasOwn(FOREIGN, type))
    throw new Failure('INVALID_PLANT', { message: `The ${path} is ${FOREIGN[type]}, or leave it out.` });
  const isPlain =
    (type === 'S' && typeof value === 'string') || (type === 'BOOL' && typeof value === 'boolean');
  return isPlain ? value : attribute;
}

/** DynamoDB's numbers are decimal: one with an exponent has lost no digit. */
function plainNumber(text: string): string {
  const value = text.length < 200 ? parseInt64(text) : undefined;
  return typeof value === 'bigint' ? String(value) : shortNumber(text);
}
