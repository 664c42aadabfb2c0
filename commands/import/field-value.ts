import { type Json, NumberLiteral } from '../../lambda/json.ts';
import type { TypeName } from '../../lambda/property-types/property-type.ts';
import { parseJson } from '../../lambda/request/parse-json.ts';

/** No exponent: spreadsheets write one after losing digits, as in 1.0E+18. Tools in which the column is of doubles write 10.0. */
const INTEGER = /^-?(0|[1-9]\d*)(\.0+)?$/;
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The value of a field, by the type of its property; or, if the type cannot read it, what to write instead. */
const READERS: Record<TypeName, { read: (field: string) => Json | undefined; use: string }> = {
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

/**
 * Reads a field of CSV by the type of its property. A list or an object is JSON there, too.
 * @returns its value, and in the words of a spreadsheet what is wrong with it: the service's own are about JSON
 */
export function fieldValue(type: TypeName, field: string): { value: Json; problem?: string } {
  const { read, use } = READERS[type];
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
