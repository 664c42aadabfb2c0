import type { TypeName } from '../../lambda/property-types/property-type.ts';
import { parseJson } from '../../lambda/request/json.ts';

/** No exponent: spreadsheets write one after losing digits, as in 1.0E+18. */
const PLAIN_DIGITS = /^-?(0|[1-9]\d*)$/;
const PLAIN_DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The JSON of a field, by the type of its property; undefined if the type cannot read it. */
const READ_FIELD: Record<TypeName, (field: string) => string | undefined> = {
  integer: (field) => (PLAIN_DIGITS.test(field) ? field : undefined),
  number: (field) => (PLAIN_DECIMAL.test(field) ? field : undefined),
  string: () => undefined,
  // Spreadsheets write TRUE.
  boolean: (field) => (/^(true|false)$/i.test(field) ? field.toLowerCase() : undefined),
  array: asJson,
  object: asJson,
};

/**
 * Reads a field of CSV by the type of its property. A list or an object is JSON there, too. A field that its type cannot read becomes
 * a string, which is then refused.
 */
export function fieldAsJson(type: TypeName, field: string): string {
  return READ_FIELD[type](field) ?? JSON.stringify(field);
}

function asJson(field: string): string | undefined {
  try {
    parseJson(field);
    return field.trim();
  } catch {
    return undefined;
  }
}
