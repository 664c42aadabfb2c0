import { parse } from 'csv-parse';
import { PlainError } from '../../cli/plain-error.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import type { Place, Position } from './record.ts';

/** A row of a CSV text: its bytes, which may not be UTF-8, and its fields. */
export interface Row extends Place {
  readonly raw: Buffer;
  readonly fields: readonly string[];
}

const OPTIONS = {
  // One character for each byte.
  encoding: 'latin1',
  info: true,
  raw: true,
  relax_column_count: true,
  record_delimiter: ['\n', '\r\n'],
};
type Parsed = { record: string[]; raw: string; info: { bytes: number } };
/** Of `\r\n` after a row, csv-parse leaves out the line feed. */
const LINE_BREAK = /\r?\n?$/;
const MISPLACED = 'has a double quote out of place or never closed';

/**
 * Divides a CSV text (RFC 4180 §2) into its rows. A text in which a quote is out of place is not divided any further: some
 * readers end such a row at the next line break, others at the next quote, so that a line after it may be a row or the
 * inside of a field.
 * @throws PlainError at the first quote that is out of place, or is not closed, and at a row over 1 MiB
 */
export async function* csvRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let end: Position = { offset: 0, line: 1 };
  let read = 0;
  const rows: Row[] = [];
  const on_record = ({ record, raw, info }: Parsed) => {
    const { offset, line } = end;
    const text = raw.replace(LINE_BREAK, '');
    end = { offset: info.bytes, line: line + text.split('\n').length };
    const place = { line, end, bytes: info.bytes - offset };
    rows.push({ ...place, raw: bytesOf(text), fields: record.map((field) => bytesOf(field).toString()) });
  };
  const parser = parse({ ...OPTIONS, on_record } as object).on('error', () => undefined);
  const wrongRow = (what: string) =>
    new PlainError(
      `The row that begins in line ${end.line} ${what}, so the rows after it are not certain; correct or remove that row first.`,
    );

  /** The rows that a step completes. */
  async function* rowsAfter(step: (done: (error?: Error | null) => void) => unknown) {
    const error = await new Promise<Error | null | undefined>(step);
    yield* rows.splice(0);
    if (error) throw wrongRow(MISPLACED);
  }

  for await (const chunk of chunks) {
    yield* rowsAfter((done) => parser.write(chunk, done));
    read += chunk.length;
    // The limit of csv-parse does not count commas, which would fill the memory. Below ours, the service judges.
    if (read - end.offset > MAX_BODY_BYTES) throw wrongRow(`is over 1 MiB, or ${MISPLACED}`);
  }
  yield* rowsAfter((done) => parser.end(done));
}

function bytesOf(latin1: string): Buffer {
  return Buffer.from(latin1, 'latin1');
}
