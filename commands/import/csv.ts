import { isUtf8 } from 'node:buffer';
import { PlainError } from '../../cli/plain-error.ts';
import { PROPERTIES, PROPERTY_NAMES, type PropertyName, typeOf } from '../../lambda/plant.ts';
import type { TypeName } from '../../lambda/property-types.ts';
import { csvRows } from './csv-rows.ts';
import { contentOf, type InputRecord, notUtf8, type RecordContent, refuse } from './record.ts';

const REQUIRED = PROPERTY_NAMES.filter((name) => PROPERTIES[name].required);
const NOT_UTF8 = refuse(40001, notUtf8('The line', 'CSV UTF-8'));
const PLAIN_DIGITS = /^-?(0|[1-9]\d*)$/;
/** A number as spreadsheets write it after rounding: 1.0E+18, or 1,0E+18 where the comma is the decimal sign. */
const ROUNDED = /^-?\d+(?:[.,]\d+)?[eE]\+?\d+$/;
/** Writes a field as JSON. A number that is not in plain digits becomes a string, which is then refused. */
const TO_JSON = {
  integer: (field) => (PLAIN_DIGITS.test(field) ? field : JSON.stringify(field)),
  string: (field) => JSON.stringify(field),
} satisfies Record<TypeName, (field: string) => string>;

/**
 * Reads the plants of a CSV text (RFC 4180) in UTF-8: a header, commas, double quotes. An empty field counts as absent,
 * because CSV cannot distinguish the two.
 * @param chunks the bytes of the text, without a byte order mark
 * @throws PlainError if the header does not have the columns of plants, or it is not certain where a row ends
 */
export async function* csvRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputRecord> {
  let columns: readonly PropertyName[] | undefined;
  for await (const { raw, fields, ...place } of csvRows(chunks)) {
    // Spreadsheets write an empty row with all its separators.
    if (fields.every((field) => field === '')) continue;
    if (columns) yield { ...place, ...contentOfRow(fields, columns, raw) };
    else columns = checkedHeader(raw, fields);
  }
  if (!columns) throw new PlainError('The CSV file is empty; its first line must name the columns.');
}

/** @throws PlainError unless the names are columns of plants */
function checkedHeader(row: Buffer, names: readonly string[]): readonly PropertyName[] {
  if (!isUtf8(row)) throw new PlainError(notUtf8('The header', 'CSV UTF-8'));
  const problem = problemOf(names);
  if (problem === undefined) return names as readonly PropertyName[];
  throw new PlainError(
    `The header ${problem}; the columns are ${PROPERTY_NAMES.join(', ')} (required: ${REQUIRED.join(', ')}), separated by commas.`,
  );
}

function problemOf(names: readonly string[]): string | undefined {
  const wrong = names.find((name) => !Object.hasOwn(PROPERTIES, name));
  if (wrong !== undefined) return `has ${JSON.stringify(wrong.slice(0, 40))}`;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `has the column ${twice} twice`;
  const missing = REQUIRED.find((name) => !names.includes(name));
  return missing && `lacks ${missing}`;
}

function contentOfRow(
  fields: readonly string[],
  columns: readonly PropertyName[],
  row: Buffer,
): RecordContent {
  if (!isUtf8(row)) return { content: NOT_UTF8 };
  if (fields.length !== columns.length) {
    const message = `The number of fields (${fields.length}) differs from that of the header (${columns.length}).`;
    return { content: refuse(40002, message), text: row.toString() };
  }
  const given = columns.map((name, at) => [name, fields[at] ?? ''] as const).filter(([, field]) => field);
  const properties = new Map(given.map(([name, field]) => [name, TO_JSON[typeOf(name).schema.type](field)]));
  const wrong = given.find(
    ([name, field]) => typeOf(name).schema.type === 'integer' && !PLAIN_DIGITS.test(field),
  );
  return { content: wrong ? wrongInteger(...wrong) : contentOf(properties), properties };
}

/** The refusal of an integer that is not plain digits, in the words of a spreadsheet: the service's own are about JSON. */
function wrongInteger(name: string, field: string): RecordContent['content'] {
  const shown = field.slice(0, 40);
  const message = ROUNDED.test(field)
    ? `The ${name} is written ${shown}, as spreadsheets do after losing digits; export the column as text.`
    : `The ${name} is written ${JSON.stringify(shown)}; use plain digits: no leading zero, space, point or comma.`;
  return refuse(40002, message);
}
