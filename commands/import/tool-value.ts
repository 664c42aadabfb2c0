import { Failure } from '../../lambda/errors.ts';
import { type Json, NumberLiteral } from '../../lambda/json.ts';
import { MAX_NUMBER_CHARACTERS } from '../../lambda/limits.ts';
import { parseInt64 } from '../../lambda/property-types/int64.ts';
import type { PropertyType, TypeName } from '../../lambda/property-types/property-type.ts';
import { fieldValue } from './field-value.ts';
import { UNSAFE } from './lost-digits.ts';

type Schema = PropertyType<unknown>['schema'];
type Properties = ReadonlyMap<string, Json>;

/** The names by which MongoDB's Extended JSON v2 wraps a number in a text. */
const WRAPPED = ['$numberLong', '$numberInt', '$numberDouble', '$numberDecimal'];

/**
 * Reads a value as data tools write it: `null` of an optional property is absent, and a number may be a text, as in the JSON of
 * protobuf, BigQuery and MongoDB. What the type does not have is returned as it is.
 * @param path names the value in messages; empty for the plant
 * @throws Failure 40002 if a text in place of a number is no plain number, or an integer may have lost digits
 */
export function fromTool(value: Json, schema: Schema, path: string): Json {
  const read = READERS[schema.type];
  return read ? read(value, schema, path) : value;
}

const READERS: Partial<Record<TypeName, (value: Json, schema: Schema, path: string) => Json>> = {
  integer(value, { type }, path) {
    const number = numberOf(value, type, path);
    if (number instanceof NumberLiteral && mayHaveLostDigits(number.text))
      throw wrong(
        `The ${path} is written ${number.text.slice(0, 40)}: it has passed through a floating-point number; its digits may be lost. Write it as a 64-bit integer or as text.`,
      );
    return number;
  },
  number: (value, { type }, path) => numberOf(value, type, path),
  array: (value, { items }, path) =>
    Array.isArray(value) ? value.map((each, n) => fromTool(each, items as Schema, `${path}[${n}]`)) : value,
  object(value, schema, path) {
    if (!(value instanceof Map)) return value;
    if (schema.properties) return readProperties(value, schema, path);
    const values = schema.additionalProperties as Schema;
    return new Map([...value].map(([name, each]) => [name, fromTool(each, values, `${path}.*`)]));
  },
};

function readProperties(sent: Properties, schema: Schema, path: string): Properties {
  const properties = schema.properties as Readonly<Record<string, Schema>>;
  const required = (schema.required ?? []) as readonly string[];
  const read = new Map<string, Json>();
  for (const [name, value] of sent) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!own) read.set(name, value);
    else if (value !== null || required.includes(name))
      read.set(name, fromTool(value, own, path ? `${path}.${name}` : name));
  }
  return read;
}

/** Other values than numbers in a text are left to the service's own check. */
function numberOf(value: Json, type: TypeName, path: string): Json {
  const [[name, wrapped] = ['', '']]: [string, Json][] =
    value instanceof Map && value.size === 1 ? [...value] : [];
  const text = WRAPPED.includes(name) ? wrapped : value;
  if (value instanceof Map && value.has('0'))
    throw wrong(`The ${path} is a whole column, as pandas writes it; use orient="records", lines=True.`);
  if (typeof text !== 'string') return value;
  const { value: number, problem } = fieldValue(type, text);
  if (problem !== undefined) throw wrong(`The ${path} ${problem}`);
  return number;
}

/** An integer that was written by a tool in which it was a double: with a point or an exponent, and so large that others look alike. */
function mayHaveLostDigits(literal: string): boolean {
  if (!/[.e]/i.test(literal) || literal.length > MAX_NUMBER_CHARACTERS) return false;
  const value = parseInt64(literal);
  return typeof value === 'bigint' && (value >= UNSAFE || value <= -UNSAFE);
}

function wrong(message: string): Failure {
  return new Failure('INVALID_PLANT', { message });
}
