import type { TypeName } from '../../lambda/property-types/property-type.ts';
import { parseJson } from '../../lambda/request/json.ts';

/** A field as JSON, and in the words of a spreadsheet what is wrong with it: the service's own are about JSON. */
interface FieldJson {
  readonly json: string;
  readonly problem?: string;
}

/** No exponent: spreadsheets write one after losing digits, as in 1.0E+18. */
const PLAIN_DIGITS = /^-?(0|[1-9]\d*)$/;
const PLAIN_DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The JSON of a field, by the type of its property; or, if the type cannot read it, what to write instead. */
const READERS: Record<TypeName, { read: (field: string) => string | undefined; use: string }> = {
  integer: {
    read: (field) => (PLAIN_DIGITS.test(field) ? field : undefined),
    use: 'plain digits: no leading zero, space, point, comma or exponent. A spreadsheet keeps them in a column of text',
  },
  number: {
    read: (field) => (PLAIN_DECIMAL.test(field) ? field : undefined),
    use: 'plain digits and a decimal point: no leading zero, space, comma or exponent',
  },
  string: { read: JSON.stringify, use: 'text' },
  // Spreadsheets write TRUE.
  boolean: {
    read: (field) => (/^(true|false)$/i.test(field) ? field.toLowerCase() : undefined),
    use: 'true or false',
  },
  array: { read: asJson, use: 'JSON, such as ["a","b"]' },
  object: { read: asJson, use: 'JSON, such as {"a":"b"}' },
};

/** Reads a field of CSV by the type of its property. A list or an object is JSON there, too. */
export function fieldAsJson(type: TypeName, field: string): FieldJson {
  const { read, use } = READERS[type];
  const json = read(field);
  if (json !== undefined) return { json };
  const shown = JSON.stringify(field.slice(0, 40));
  return { json: JSON.stringify(field), problem: `is written ${shown}; use ${use}.` };
}

function asJson(field: string): string | undefined {
  try {
    parseJson(field);
    return field.trim();
  } catch {
    return undefined;
  }
}
