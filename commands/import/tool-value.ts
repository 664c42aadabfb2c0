import { Failure } from '../../lambda/errors.ts';
import { type Json, NumberLiteral } from '../../lambda/json.ts';
import { MAX_NUMBER_CHARACTERS } from '../../lambda/limits.ts';
import { parseInt64 } from '../../lambda/property-types/int64.ts';
import type { PropertyType } from '../../lambda/property-types/property-type.ts';
import { fieldValue } from './field-value.ts';
import { UNSAFE } from './lost-digits.ts';

type Schema = PropertyType<unknown>['schema'];
type Properties = ReadonlyMap<string, Json>;

/** How MongoDB's Extended JSON v2 wraps a number in a text, and what unwraps all. */
const WRAPPED = /^\$number(Long|Int|Double|Decimal)$/;
const UNWRAP = `jq -c 'walk(.["$numberLong","$numberInt","$numberDouble","$numberDecimal"]? // .)'`;

/**
 * Reads a value as data tools write it: `null` of an optional property is absent, and a number may be a text, as in the JSON of
 * protobuf and BigQuery. What the type does not have is returned as it is.
 * @param path names the value in messages; empty for the plant
 * @throws Failure 40002 if a text in place of a number is no plain number, or an integer may have lost digits
 */
export function fromTool(value: Json, schema: Schema, path: string): Json {
  const { type, items, properties, additionalProperties } = schema;
  if (type === 'integer' || type === 'number') return numberOf(value, schema, path);
  if (type === 'array' && Array.isArray(value))
    return value.map((each, n) => fromTool(each, items as Schema, `${path}[${n}]`));
  if (type !== 'object' || !(value instanceof Map)) return value;
  if (properties) return readProperties(value, schema, path);
  const values = additionalProperties as Schema;
  return new Map([...value].map(([name, each]) => [name, fromTool(each, values, `${path}.*`)]));
}

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
function numberOf(value: Json, schema: Schema, path: string): Json {
  if (value instanceof Map && value.has('0'))
    throw wrong(`The ${path} is a whole column, as pandas writes it; use orient="records", lines=True.`);
  const [wrapper] = value instanceof Map ? [...value.keys()] : [];
  if (wrapper !== undefined && WRAPPED.test(wrapper))
    throw wrong(`The ${path} is a ${wrapper} of MongoDB. Unwrap the numbers of the file: ${UNWRAP}`);
  const { value: number, problem } = typeof value === 'string' ? fieldValue(schema, value) : { value };
  if (problem !== undefined) throw wrong(`The ${path} ${problem}`);
  if (schema.type === 'integer' && number instanceof NumberLiteral && mayHaveLostDigits(number.text))
    throw wrong(
      `The ${path} is written ${number.text.slice(0, 40)}: it has passed through a floating-point number; its digits may be lost. Write it as a 64-bit integer or as text.`,
    );
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
