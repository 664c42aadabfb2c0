import { isUtf8 } from 'node:buffer';
import { PlainError } from '../../infra/plain-error.ts';
import { type ReadRecord, readRecords } from './read-records.ts';
import {
  contentOf,
  type InputRecord,
  NOT_UTF8,
  type Position,
  type RecordContent,
  refuse,
} from './record.ts';

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
/** A field, and the comma or the line break after it. */
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",\n]*?))(,|\r?\n$)/y;
const COLUMNS = ['id', 'name', 'tag'];
const NOT_CSV = refuse(40001, 'The line is not CSV: a double quote is not closed, or stands inside a field.');

/**
 * Reads the plants of a CSV text (RFC 4180) in UTF-8: a header, commas, double quotes. An empty field counts as absent,
 * because CSV cannot distinguish the two.
 *
 * Not csv-parse or papaparse: after a quote that is not closed, they take all lines up to the next quote for one row. Here
 * only the line with that quote is refused, and the next line is read as a row. Splitting each row with csv-parse took a
 * quarter of the CPU time of an import.
 * @param chunks the bytes of the text from a position on
 * @param start.columns the names of the header; set here when the header is read
 * @throws PlainError if the header does not have the columns of plants
 */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  start: { readonly next: Position; columns?: readonly string[] | undefined },
): AsyncGenerator<InputRecord> {
  const read: ReadRecord = (bytes, lineSize, isAll) => {
    const size = rowSize(bytes);
    if (size === undefined && !isAll) return undefined;
    const row = bytes.subarray(0, size);
    const fields = size === undefined ? undefined : fieldsOf(row.toString());
    if (size === undefined || fields === undefined)
      return { size: lineSize, found: { content: NOT_CSV, text: textOf(bytes.subarray(0, lineSize)) } };
    if (fields.length === 1 && fields[0] === '') return { size };
    if (start.columns) return { size, found: contentOfRow(fields, start.columns, row) };
    start.columns = checkedHeader(fields);
    return { size };
  };
  for await (const record of readRecords(chunks, start.next, read)) {
    if (!start.columns) throw new PlainError('The header is not CSV.');
    yield record;
  }
  if (!start.columns) throw new PlainError('The CSV file is empty; its first line must name the columns.');
}

/** @returns how many bytes there are up to the first line break outside quotes, which counts too; undefined without one */
function rowSize(bytes: Buffer): number | undefined {
  let isQuoted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    // A doubled quote ends the quoted text and starts it again.
    if (bytes[at] === QUOTE) isQuoted = !isQuoted;
    else if (bytes[at] === LINE_FEED && !isQuoted) return at + 1;
  }
  return undefined;
}

/** Splits a row into its fields, without a byte order mark. @returns undefined if the row is not CSV */
function fieldsOf(row: string): readonly string[] | undefined {
  const fields: string[] = [];
  FIELD.lastIndex = row.startsWith('\ufeff') ? 1 : 0;
  for (let match = FIELD.exec(row); match; match = FIELD.exec(row)) {
    const [, quoted, plain = '', end] = match;
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') return fields;
  }
  return undefined;
}

/** @throws PlainError unless the names are columns of plants */
function checkedHeader(names: readonly string[]): readonly string[] {
  const wrong = names.find((name, at) => !COLUMNS.includes(name) || names.indexOf(name) !== at);
  if (wrong === undefined && names.includes('id') && names.includes('name')) return names;
  const what = wrong === undefined ? 'lacks id or name' : `has ${JSON.stringify(wrong.slice(0, 40))}`;
  throw new PlainError(
    `The header ${what}; the columns are id, name and optionally tag, separated by commas.`,
  );
}

function contentOfRow(fields: readonly string[], columns: readonly string[], row: Buffer): RecordContent {
  if (!isUtf8(row)) return { content: NOT_UTF8, text: textOf(row) };
  if (fields.length !== columns.length) {
    const message = `The number of fields (${fields.length}) differs from that of the header (${columns.length}).`;
    return { content: refuse(40002, message), text: textOf(row) };
  }
  const given = fields.map((field, at) => [columns[at] ?? '', field] as const).filter(([, field]) => field);
  const properties = new Map(given.map(([name, field]) => [name, jsonOf(name, field)]));
  return { content: contentOf(properties), properties };
}

/** An id stays as it is written; anything that is not an integer becomes a string, which is refused. */
function jsonOf(name: string, field: string): string {
  return name === 'id' && /^-?(0|[1-9]\d*)$/.test(field) ? field : JSON.stringify(field);
}

function textOf(bytes: Buffer): string {
  return bytes.toString().trimEnd();
}
