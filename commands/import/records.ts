import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { PlainError } from '../../cli/plain-error.ts';
import { Failure } from '../../lambda/errors.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import { type NewPlant, PROPERTIES, PROPERTY_NAMES, type PropertyName, typeOf } from '../../lambda/plant.ts';
import type { TypeName } from '../../lambda/property-types.ts';
import { type Properties, parseJson } from '../../lambda/request/json.ts';
import { newPlant } from '../../lambda/request/new-plant.ts';

/** Why a line was not stored: a published error number, and one sentence. */
export interface Refusal {
  readonly error: number;
  readonly message: string;
}

/** One plant of the input: a line of NDJSON, or a row of CSV, which may span several lines. */
export interface InputRecord {
  /** The number of its first line, counted from 1. */
  readonly line: number;
  /** A plant to send, or the reason why nothing is sent. */
  readonly content: { readonly plant: NewPlant } | { readonly refusal: Refusal };
  /** For the file of refused lines: the properties, each value as JSON text, or the text if they could not be read. */
  readonly properties?: Properties | undefined;
  readonly text?: string | undefined;
}

/** The property of a refused line that says why; the importer ignores it. */
const REFUSED = 'refused';
const KNOWN: readonly string[] = [...PROPERTY_NAMES, REFUSED];
const REQUIRED = PROPERTY_NAMES.filter((name) => PROPERTIES[name].required);

/**
 * Reads the text of a file or of standard input, without a byte order mark.
 * @throws PlainError if it cannot be read, or is not UTF-8, as a workbook or a compressed file
 */
export async function* textOf(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of chunks) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new PlainError(`${name} cannot be read (${code}).`);
    throw new PlainError(`${name} is not UTF-8 text; save the original as CSV UTF-8, or unpack it.`);
  }
}

/** Reads the plants of an NDJSON text (one JSON object per line). Empty lines are skipped. */
export async function* ndjsonRecords(text: AsyncIterable<string>): AsyncGenerator<InputRecord> {
  let line = 0;
  for await (const content of linesOf(text)) {
    line += 1;
    if (/^[ \t]*$/.test(content)) continue;
    try {
      const properties = parseJson(content);
      const whole = properties ? {} : { text: content };
      yield { line, content: contentOf(properties), properties, ...whole };
    } catch (error) {
      yield { line, content: refusalOf(error), text: content };
    }
  }
}

/** @throws PlainError at a line over 1 MiB */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let count = 1;
  for await (const part of text) {
    const [...lines] = (rest + part).split(/\r?\n/);
    rest = lines.pop() ?? '';
    count += lines.length;
    if (rest.length > MAX_BODY_BYTES)
      throw new PlainError(`Line ${count} is over 1 MiB, which no plant can be.`);
    yield* lines;
  }
  yield rest;
}

/**
 * Reads the plants of a CSV text (RFC 4180): a header, commas, double quotes. An empty field counts as absent, because CSV
 * cannot distinguish the two.
 * @throws PlainError if the header does not have the columns of plants, or at a row that is no CSV
 */
export async function* csvRecords(text: AsyncIterable<string>): AsyncGenerator<InputRecord> {
  const options = { info: true, relax_column_count: true, max_record_size: MAX_BODY_BYTES };
  const rows = parse({ ...options, record_delimiter: ['\n', '\r\n'] });
  pipeline(Readable.from(text), rows, () => undefined);
  let columns: readonly PropertyName[] | undefined;
  let line = 1;
  try {
    for await (const { record: fields, info } of rows as AsyncIterable<Row>) {
      // Spreadsheets write an empty row with all its separators.
      if (fields.some((field) => field !== '')) {
        if (columns) yield { line, ...contentOfRow(fields, columns) };
        else columns = checkedHeader(fields);
      }
      line = info.lines + 1;
    }
  } catch (error) {
    if ((error as { name: string }).name !== 'Error') throw error;
    throw new PlainError(
      `A row is no CSV, so the rows after it are not certain: ${(error as Error).message}`,
    );
  }
  if (!columns) throw new PlainError('The CSV file is empty; its first line must name the columns.');
}

/** A row of csv-parse, and the number of its last line. */
interface Row {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** @throws PlainError unless the names are columns of plants */
function checkedHeader(names: readonly string[]): readonly PropertyName[] {
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

const PLAIN_DIGITS = /^-?(0|[1-9]\d*)$/;
/** A number as spreadsheets write it after rounding: 1.0E+18, or 1,0E+18 where the comma is the decimal sign. */
const ROUNDED = /^-?\d+(?:[.,]\d+)?[eE]\+?\d+$/;
/** Writes a field as JSON. A number that is not in plain digits becomes a string, which is then refused. */
const TO_JSON = {
  integer: (field) => (PLAIN_DIGITS.test(field) ? field : JSON.stringify(field)),
  string: (field) => JSON.stringify(field),
} satisfies Record<TypeName, (field: string) => string>;

function contentOfRow(
  fields: readonly string[],
  columns: readonly PropertyName[],
): Omit<InputRecord, 'line'> {
  if (fields.length !== columns.length) {
    const message = `The number of fields (${fields.length}) differs from that of the header (${columns.length}).`;
    return { content: refuse(40002, message), text: fields.join() };
  }
  const given = columns.map((name, at) => [name, fields[at] ?? ''] as const).filter(([, field]) => field);
  const properties = new Map(given.map(([name, field]) => [name, TO_JSON[typeOf(name).schema.type](field)]));
  const wrong = given.find(
    ([name, field]) => typeOf(name).schema.type === 'integer' && !PLAIN_DIGITS.test(field),
  );
  return { content: wrong ? wrongInteger(...wrong) : contentOf(properties), properties };
}

/** The refusal of an integer that is not plain digits, in the words of a spreadsheet: the service's own are about JSON. */
function wrongInteger(name: string, field: string): InputRecord['content'] {
  const shown = field.slice(0, 40);
  const message = ROUNDED.test(field)
    ? `The ${name} is written ${shown}, as spreadsheets do after losing digits; export the column as text.`
    : `The ${name} is written ${JSON.stringify(shown)}; use plain digits: no leading zero, space, point or comma.`;
  return refuse(40002, message);
}

/** Checks properties by the service's own rules, and rejects those that the service would silently drop. */
function contentOf(properties: Properties | undefined): InputRecord['content'] {
  try {
    const plant = newPlant(properties);
    const unknown = [...(properties?.keys() ?? [])].find((name) => !KNOWN.includes(name));
    if (unknown === undefined) return { plant };
    return refuse(40002, `A plant has no property ${JSON.stringify(unknown.slice(0, 40))}.`);
  } catch (error) {
    return refusalOf(error);
  }
}

function refuse(error: number, message: string): { refusal: Refusal } {
  return { refusal: { error, message } };
}

/** Converts a Failure of the service's code to a refusal. Any other error is a bug. */
function refusalOf(error: unknown): { refusal: Refusal } {
  if (!(error instanceof Failure)) throw error;
  return refuse(error.published.error, error.message.replace(/^The body/, 'The line'));
}

/** The line for the file of refused lines: its original properties, and why it was refused. */
export function refusedLine({ line, properties, text }: InputRecord, refusal: Refusal): string {
  const why = JSON.stringify({ line, ...refusal, text });
  const own = [...(properties ?? [])].filter(([name]) => name !== REFUSED);
  return `{${[...own, [REFUSED, why]].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}\n`;
}
