import { type Json, NumberLiteral } from '../../lambda/json.ts';
import type { PropertyType, TypeName } from '../../lambda/property-types/property-type.ts';
import { parseJson } from '../../lambda/request/parse-json.ts';

type Schema = PropertyType<unknown>['schema'];

/** No exponent: spreadsheets write one after losing digits, as in 1.0E+18. Tools in which the column is of doubles write 10.0. */
const INTEGER = /^-?(0|[1-9]\d*)(\.0+)?$/;
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
/** Of a double, an exponent loses nothing. */
const DOUBLE = /^-?(0|[1-9]\d*)(\.\d+)?(E[+-]?\d+)?$/i;

interface Reader {
  /** @returns the value of a field; undefined if the type cannot read it */
  readonly read: (field: string) => Json | undefined;
  /** What to write instead. */
  readonly use: string;
}

/** By the type of the property. */
const READERS: Record<TypeName, Reader> = {
  integer: {
    read: (field) => (INTEGER.test(field) ? new NumberLiteral(field) : undefined),
    use: 'plain digits: no leading zero, space, point, comma or exponent. A spreadsheet keeps them in a column of text',
  },
  number: {
    read: (field) => (DECIMAL.test(field) ? new NumberLiteral(field) : undefined),
    use: 'plain digits and a decimal point: no leading zero, space, comma or exponent',
  },
  string: { read: (field) => field, use: 'text' },
  // Spreadsheets write TRUE.
  boolean: {
    read: (field) => (/^(true|false)$/i.test(field) ? field.toLowerCase() === 'true' : undefined),
    use: 'true or false',
  },
  array: { read: parsed, use: 'JSON, such as ["a","b"]' },
  object: { read: parsed, use: 'JSON, such as {"a":"b"}' },
};

/** A number without `multipleOf`. */
const OF_DOUBLE: Reader = {
  read: (field) => (DOUBLE.test(field) ? new NumberLiteral(field) : undefined),
  use: 'a number as in JSON, such as 12.5 or 1e-7: no leading zero, space or comma',
};

/**
 * Reads a field of CSV by the type of its property. A list or an object is JSON there, too.
 * @returns its value, and in the words of a spreadsheet what is wrong with it: the service's own are about JSON
 */
export function fieldValue({ type, multipleOf }: Schema, field: string): { value: Json; problem?: string } {
  const { read, use } = type === 'number' && multipleOf === undefined ? OF_DOUBLE : READERS[type];
  const value = read(field);
  if (value !== undefined) return { value };
  return { value: field, problem: `is written ${JSON.stringify(field.slice(0, 40))}; use ${use}.` };
}

/** No list and no object is null, which would be taken for absent. */
function parsed(field: string): Json | undefined {
  try {
    return parseJson(field) ?? undefined;
  } catch {
    return undefined;
  }
}
