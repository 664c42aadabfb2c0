import type { TypeName } from '../../lambda/property-types/property-type.ts';
import { parseJson } from '../../lambda/request/json.ts';

/** A field as JSON, and in the words of a spreadsheet what is wrong with it: the service's own are about JSON. */
interface FieldJson {
  readonly json: string;
  readonly problem?: string;
}

const PLAIN_DIGITS = /^-?(0|[1-9]\d*)$/;
const PLAIN_DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
/** A number as spreadsheets write it after rounding: 1.0E+18, or 1,0E+18 where the comma is the decimal sign. */
const ROUNDED = /^-?\d+(?:[.,]\d+)?[eE]\+?\d+$/;

const asString = (field: string): FieldJson => ({ json: JSON.stringify(field) });

/** How the text of a field is read. One that its type cannot read becomes a string, which is then refused. */
const READ_FIELD: Record<TypeName, (field: string) => FieldJson> = {
  integer: (field) => numberIn(field, PLAIN_DIGITS, 'no leading zero, space, point or comma'),
  number: (field) => numberIn(field, PLAIN_DECIMAL, 'no leading zero, space or comma, and a decimal point'),
  string: asString,
  // Spreadsheets write TRUE.
  boolean: (field) => (/^(true|false)$/i.test(field) ? { json: field.toLowerCase() } : asString(field)),
  array: asJson,
  object: asJson,
};

/** Reads a field of CSV by the type of its property. A list or an object is JSON there, too. */
export function fieldAsJson(type: TypeName, field: string): FieldJson {
  return READ_FIELD[type](field);
}

function numberIn(field: string, plain: RegExp, rule: string): FieldJson {
  if (plain.test(field)) return { json: field };
  const shown = field.slice(0, 40);
  const problem = ROUNDED.test(field)
    ? `is written ${shown}, as spreadsheets do after losing digits; export the column as text.`
    : `is written ${JSON.stringify(shown)}; use plain digits: ${rule}.`;
  return { ...asString(field), problem };
}

function asJson(field: string): FieldJson {
  try {
    parseJson(field);
    return { json: field.trim() };
  } catch {
    return asString(field);
  }
}
