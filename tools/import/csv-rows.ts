import { PlainError } from '../../infra/plain-error.ts';
import { type FindEnd, type RawRecord, splitRecords } from './read-records.ts';

/** Where in a row a byte stands. */
const AT_FIELD = 0;
const IN_PLAIN = 1;
const IN_QUOTED = 2;
/** After a quote in a quoted field: it ends the field, or is the first of two. */
const AFTER_QUOTE = 3;
/** After such a quote and a carriage return. */
const AFTER_RETURN = 4;
const AT_END = 5;
const WRONG = 6;

/** For each place, the next one after: a double quote, a comma, a carriage return, a line feed, any other byte. */
const NEXT = [
  [IN_QUOTED, AT_FIELD, IN_PLAIN, AT_END, IN_PLAIN],
  [WRONG, AT_FIELD, IN_PLAIN, AT_END, IN_PLAIN],
  [AFTER_QUOTE, IN_QUOTED, IN_QUOTED, IN_QUOTED, IN_QUOTED],
  [IN_QUOTED, AT_FIELD, AFTER_RETURN, AT_END, WRONG],
  [WRONG, WRONG, WRONG, AT_END, WRONG],
] as const;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const kind = Buffer.from('",\r\n').indexOf(byte);
  return kind < 0 ? 4 : kind;
});

const MISPLACED = 'has a double quote out of place';

/** A field, and the comma after it; nothing follows the last one. */
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;

/** A row of a CSV text. */
export interface Row extends RawRecord {
  /** Its fields; undefined if it is over 1 MiB. */
  readonly fields: readonly string[] | undefined;
}

/**
 * Divides a CSV text (RFC 4180 §2) into its rows. A text in which a quote is out of place is not divided any further: some
 * readers end such a row at the next line break, others at the next quote, so that a line after it may be a row or the
 * inside of a field.
 * @param most the most bytes of a row
 * @throws PlainError at the first quote that is out of place, or is not closed
 */
export async function* csvRows(chunks: AsyncIterable<Buffer>, most?: number): AsyncGenerator<Row> {
  let place: number = AT_FIELD;
  let row = 1;
  const findEnd: FindEnd = (bytes, from, line) => {
    row = line;
    for (let at = from; at < bytes.length; at += 1) {
      place = NEXT[place]?.[KINDS[bytes[at] ?? 0] ?? 0] ?? WRONG;
      if (place === WRONG) throw notCsv(row, MISPLACED);
      if (place !== AT_END) continue;
      place = AT_FIELD;
      return at;
    }
    return -1;
  };
  for await (const record of splitRecords(chunks, findEnd, most)) {
    // The last row, if the input ends within it.
    if (place === IN_QUOTED) throw notCsv(row, 'has a double quote that is never closed');
    if (place === AFTER_RETURN) throw notCsv(row, MISPLACED);
    yield { ...record, fields: record.content && fieldsOf(record.content.toString()) };
  }
}

function fieldsOf(row: string): readonly string[] {
  const fields: string[] = [];
  FIELD.lastIndex = 0;
  for (let match = FIELD.exec(row); match; match = FIELD.exec(row)) {
    const [, quoted, plain = '', end] = match;
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') break;
  }
  return fields;
}

function notCsv(line: number, what: string): PlainError {
  return new PlainError(
    `The row that begins in line ${line} ${what}, so the rows after it are not certain; correct that row.`,
  );
}
