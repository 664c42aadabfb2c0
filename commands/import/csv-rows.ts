import { parse } from 'csv-parse';
import { PlainError } from '../../cli/plain-error.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import type { Source } from './source.ts';
import { linesOf } from './text.ts';

/** A field: absent values and texts differ in their quotes. */
export interface Field {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** A row, the number of its first line, the length of its fields, and the separator and the text of the header. */
export interface Row {
  readonly line: number;
  readonly size: number;
  readonly fields: readonly Field[];
  readonly delimiter: ',' | ';' | '\t' | '|';
  readonly header: string;
}

const OPTIONS = {
  relax_column_count: true,
  max_record_size: MAX_BODY_BYTES,
  record_delimiter: ['\n', '\r\n'],
  cast: (text: string, { quoting: isQuoted }: { quoting: boolean }): Field => ({ text, isQuoted }),
};
/** Of files with these, many have no quotes around texts. */
export const MAY_HAVE_NO_QUOTES: readonly string[] = ['\t', '|'];
export const QUOTES_MAY_BE_TEXT =
  'In a file with tabs or bars, a quote may be a part of the text: --no-quotes says so.';
/** A line before the header: empty, as spreadsheets write it, or one that tells Excel the separator, which the header shows as well. */
const NO_HEADER = /^(?:"?sep=[,;\t|]"?\r?\n|[\s,;|"]*)$/i;

/**
 * Reads the rows of a CSV text (RFC 4180) that are not empty, first the header: commas, semicolons, tabs or bars, double quotes. A text
 * in which a quote is out of place is not divided any further: some readers end such a row at the next line break, others at the next
 * quote, so that a line after it may be a row or the inside of a field.
 * @param quotes false: a quote is a character like any other, and a line is a row
 * @throws PlainError at a row that is no CSV
 */
export async function* csvRows({ chunks, name }: Source, quotes = true): AsyncGenerator<Row> {
  const rows: Row[] = [];
  let line = 1;
  const on_record = (fields: Field[]) => {
    const text = fields.map((field) => field.text).join('');
    // Spreadsheets write an empty row with all its separators.
    if (text !== '') rows.push({ line, size: text.length, fields, delimiter, header });
    // Not csv-parse's count, in which a quoted \r\n is two.
    line += text.split('\n').length;
  };
  let parser: ReturnType<typeof parse> | undefined;
  let delimiter: Row['delimiter'] = ',';
  let header = '';

  /** The rows that a step completes. */
  async function* rowsAfter(step: (done: (error?: Error | null) => void) => unknown) {
    const error = await new Promise<Error | null | undefined>(step);
    for (const row of rows.splice(0)) yield row;
    if (error) {
      // csv-parse counts lines from the header on, and fields from 0.
      const fault = error.message.replace(/( on field \d+)? at line \d+/, '').replace(/\.$/, '');
      const hint = MAY_HAVE_NO_QUOTES.includes(delimiter) ? ` ${QUOTES_MAY_BE_TEXT}` : '';
      throw new PlainError(
        `The row that begins in line ${line} is no CSV, so the rows after it are not certain: ${fault}.${hint}`,
      );
    }
  }

  for await (const text of linesOf(chunks, name)) {
    if (parser || !NO_HEADER.test(text)) {
      if (!parser) [delimiter, header] = [delimiterIn(text), text.replace(/\r?\n$/, '')];
      parser ??= parse({ ...OPTIONS, quote: quotes && '"', delimiter, on_record } as object).on(
        'error',
        () => undefined,
      );
      yield* rowsAfter((done) => parser?.write(text, done));
    } else line += 1;
  }
  if (parser) yield* rowsAfter((done) => parser?.end(done));
}

/** Excel writes semicolons where the comma is the decimal sign. */
function delimiterIn(header: string): Row['delimiter'] {
  const outside = header.replaceAll(/"[^"]*"/g, '');
  return ([',', ';', '\t', '|'] as const).find((each) => outside.includes(each)) ?? ',';
}
