import { type Info, Parser } from 'csv-parse';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import { PlainError } from '../../local/plain-error.ts';
import { checkedHeader, contentOfRow } from './csv-row.ts';
import { type InputRecord, type Position, refuse } from './record.ts';

const LINE_FEED = 0x0a;
/** How much is parsed at a time. It bounds the records of a batch, also after a line that is refused, when up to 1 MiB waits. */
const PIECE_BYTES = 65_536;
const TOO_LARGE = refuse(41301, 'The line is over 1 MiB.');
const NOT_CSV = refuse(40001, 'The line is not CSV: a double quote is not closed, or stands inside a field.');

/**
 * Reads the plants of a CSV text (RFC 4180) in UTF-8: a header, commas, double quotes. An empty field counts as absent,
 * because CSV cannot distinguish the two.
 *
 * csv-parse stops at the first row that is not CSV. Then the line where that row starts is refused, and a new parser
 * continues with the next line: after a quote that is never closed, only one line is lost, not the rest of the file.
 */
export class CsvRecords {
  readonly #header: { columns?: readonly string[] | undefined };
  /** Where the next record starts. */
  #position: Position;
  /** The bytes from that position on. */
  #pending = Buffer.alloc(0);
  #parser: Parser;
  /** Whether the line that starts here is not CSV; then its end is searched for. */
  #isRefused = false;
  /** Whether that line is too large to be kept. */
  #isLarge = false;
  #records: InputRecord[] = [];

  /**
   * @param from where to start
   * @param from.columns the names of the header, once it has been read
   */
  constructor(from: { readonly next: Position; columns?: readonly string[] | undefined }) {
    this.#header = from;
    this.#position = from.next;
    this.#parser = this.#newParser();
  }

  /**
   * @param chunks the bytes of the text from the position on
   * @returns the records of each piece of them
   * @throws PlainError if the header does not have the columns of plants
   */
  async *read(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputRecord[]> {
    for await (const chunk of chunks) yield* this.#parse(chunk, false);
    yield* this.#parse(Buffer.alloc(0), true);
    if (!this.#header.columns)
      throw new PlainError('The CSV file is empty; its first line must name the columns.');
  }

  async *#parse(chunk: Buffer, isEnd: boolean): AsyncGenerator<InputRecord[]> {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    let unread = chunk;
    do {
      if (this.#isRefused) {
        this.#refuseLine(isEnd);
        if (this.#isRefused) return;
        unread = this.#pending;
      }
      const piece = unread.subarray(0, PIECE_BYTES);
      unread = unread.subarray(PIECE_BYTES);
      const error = await feed(this.#parser, piece, isEnd && unread.length === 0);
      if (error instanceof PlainError) throw error;
      if (error && !this.#header.columns) throw new PlainError(`The header is not CSV: ${error.message}.`);
      this.#isRefused = error !== undefined;
      yield this.#records;
      this.#records = [];
    } while (this.#isRefused || unread.length > 0);
  }

  #newParser(): Parser {
    const origin = this.#position.offset;
    const parser = new Parser({
      bom: origin === 0,
      max_record_size: MAX_BODY_BYTES,
      on_record: (fields: string[], { bytes }: Info) => void this.#take(fields, origin + bytes),
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
    });
    // Each error also reaches the callback of the write that caused it.
    return parser.on('error', () => undefined);
  }

  /** @param end where the record ends, its line break included */
  #take(fields: string[], end: number): void {
    const { line } = this.#position;
    const bytes = this.#advance(end - this.#position.offset);
    if (!this.#header.columns) this.#header.columns = checkedHeader(fields);
    else if (fields.length > 1 || fields[0] !== '')
      this.#records.push({ line, end: this.#position, ...contentOfRow(fields, this.#header.columns, bytes) });
  }

  /** Refuses the line that starts here, and prepares to continue after it, if its end has been read. */
  #refuseLine(isEnd: boolean): void {
    const at = this.#pending.indexOf(LINE_FEED);
    const size = at < 0 ? this.#pending.length : at + 1;
    this.#isLarge ||= size > MAX_BODY_BYTES;
    const isWhole = at >= 0 || isEnd;
    if (!isWhole && !this.#isLarge) return;
    const { line } = this.#position;
    const text = this.#advance(size).toString().trimEnd();
    if (!isWhole) return;
    const refused = this.#isLarge ? { content: TOO_LARGE } : { content: NOT_CSV, text };
    this.#records.push({ line, end: this.#position, ...refused });
    this.#isRefused = this.#isLarge = false;
    this.#parser = this.#newParser();
  }

  /** @returns the bytes that were passed */
  #advance(size: number): Buffer {
    const bytes = this.#pending.subarray(0, size);
    let { offset, line } = this.#position;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) line += 1;
    offset += bytes.length;
    this.#position = { offset, line };
    this.#pending = this.#pending.subarray(size);
    return bytes;
  }
}

/** Gives bytes to a parser. @returns the error that they caused */
function feed(parser: Parser, bytes: Buffer, isEnd: boolean): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const done = (error?: Error | null) => resolve(error ?? undefined);
    parser.once('error', done);
    const fed = () => {
      parser.off('error', done);
      done();
    };
    if (isEnd) parser.end(bytes, fed);
    else parser.write(bytes, (error) => (error ? done(error) : fed()));
  });
}
