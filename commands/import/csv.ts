import { parse } from 'csv-parse';
import { PlainError } from '../../cli/plain-error.ts';
import type { Json } from '../../lambda/json.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import { PROPERTIES, PROPERTY_NAMES, type PropertyName, typeOf } from '../../lambda/plant.ts';
import { fieldValue } from './field-value.ts';
import { contentOf, type InputRecord, refuse } from './record.ts';

/** A row, the number of its first line, and the length of its fields. */
type Row = Pick<InputRecord, 'line' | 'size'> & { readonly fields: readonly string[] };

const OPTIONS = {
  relax_column_count: true,
  max_record_size: MAX_BODY_BYTES,
  record_delimiter: ['\n', '\r\n'],
};
/** A line before the header: empty, as spreadsheets write it, or one that tells Excel the separator, which the header shows as well. */
const NO_HEADER = /^(?:"?sep=[,;]"?\r?\n|[\s,;"]*)$/i;
const REQUIRED = PROPERTY_NAMES.filter((name) => PROPERTIES[name].required);

/**
 * Reads the plants of a CSV text (RFC 4180): a header, commas or semicolons, double quotes. An empty field counts as absent,
 * because CSV cannot distinguish the two.
 * @throws PlainError if the header does not have the columns of plants, or at a row that is no CSV
 */
export async function* csvRecords(lines: AsyncIterable<string>): AsyncGenerator<InputRecord> {
  let columns: readonly PropertyName[] | undefined;
  for await (const { fields, ...place } of rowsOf(lines)) {
    // Spreadsheets write an empty row with all its separators.
    if (fields.every((field) => field === '')) continue;
    if (columns) yield { ...place, ...readRow(fields, columns) };
    else columns = checkedHeader(fields);
  }
  if (!columns) throw new PlainError('The CSV file is empty; its first line must name the columns.');
}

/**
 * A text in which a quote is out of place is not divided any further: some readers end such a row at the next line break, others
 * at the next quote, so that a line after it may be a row or the inside of a field.
 */
async function* rowsOf(lines: AsyncIterable<string>): AsyncGenerator<Row> {
  const rows: Row[] = [];
  let line = 1;
  const on_record = (fields: string[]) => {
    const text = fields.join('');
    rows.push({ line, size: text.length, fields });
    // Not csv-parse's count, in which a quoted \r\n is two.
    line += text.split('\n').length;
  };
  let parser: ReturnType<typeof parse> | undefined;

  /** The rows that a step completes. */
  async function* rowsAfter(step: (done: (error?: Error | null) => void) => unknown) {
    const error = await new Promise<Error | null | undefined>(step);
    yield* rows.splice(0);
    if (error)
      throw new PlainError(
        `The row that begins in line ${line} is no CSV, so the rows after it are not certain: ${error.message}`,
      );
  }

  for await (const text of lines) {
    if (parser || !NO_HEADER.test(text)) {
      // Excel writes semicolons where the comma is the decimal sign.
      const delimiter = text.includes(';') && !text.includes(',') ? ';' : ',';
      parser ??= parse({ ...OPTIONS, delimiter, on_record } as object).on('error', () => undefined);
      yield* rowsAfter((done) => parser?.write(text, done));
    } else line += 1;
  }
  if (parser) yield* rowsAfter((done) => parser?.end(done));
}

/** @throws PlainError unless the names are columns of plants, each once, with all that are required */
function checkedHeader(names: readonly string[]): readonly PropertyName[] {
  const isRight =
    names.every((name) => Object.hasOwn(PROPERTIES, name)) &&
    new Set(names).size === names.length &&
    REQUIRED.every((name) => names.includes(name));
  if (isRight) return names as readonly PropertyName[];
  throw new PlainError(
    `The header has ${JSON.stringify(names.join().slice(0, 80))}; the columns are ${PROPERTY_NAMES.join(', ')} (required: ${REQUIRED.join(', ')}), each once, separated by commas or semicolons.`,
  );
}

function readRow(
  fields: readonly string[],
  columns: readonly PropertyName[],
): Pick<InputRecord, 'content' | 'source'> {
  if (fields.length !== columns.length) {
    const message = `The number of fields (${fields.length}) differs from that of the header (${columns.length}).`;
    return { content: refuse(40002, message), source: fields.map(quoted).join() };
  }
  const properties = new Map<string, Json>();
  let problem: string | undefined;
  for (const [n, name] of columns.entries()) {
    const field = fields[n];
    if (!field) continue;
    const read = fieldValue(typeOf(name).schema.type, field);
    properties.set(name, read.value);
    if (read.problem !== undefined) problem ??= `The ${name} ${read.problem}`;
  }
  const content = problem === undefined ? contentOf(properties) : refuse(40002, problem);
  return { content, source: properties };
}

function quoted(field: string): string {
  return /[",;\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
