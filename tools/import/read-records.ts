import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import { type InputRecord, type Position, type RecordContent, refuse } from './record.ts';

const LINE_FEED = 0x0a;
const TOO_LARGE = refuse(41301, 'The line is over 1 MiB.');

/**
 * Reads the record at the start of some bytes.
 * @param bytes at least one line
 * @param lineSize how many bytes the first line has, with its line break
 * @param isAll whether the record cannot have more bytes than these
 * @returns how many bytes the record has, and what is in it unless it is empty; undefined if its end is not among the bytes
 */
export type ReadRecord = (
  bytes: Buffer,
  lineSize: number,
  isAll: boolean,
) => { readonly size: number; readonly found?: RecordContent } | undefined;

/**
 * Reads the records of an input. A line over 1 MiB is refused, and is not kept in memory.
 * @param chunks the bytes of the input from a position on
 */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  { offset, line }: Position,
  read: ReadRecord,
): AsyncGenerator<InputRecord> {
  /** The bytes from the offset on. */
  let pending: Buffer = Buffer.alloc(0);
  /** Whether the line that is being read is too large, and its start has been dropped. */
  let isCut = false;

  function pass(size: number): void {
    offset += size;
    const passed = pending.subarray(0, size);
    for (let at = passed.indexOf(LINE_FEED); at >= 0; at = passed.indexOf(LINE_FEED, at + 1)) line += 1;
    pending = pending.subarray(size);
  }

  function* records(isEnd: boolean): Generator<InputRecord> {
    for (let lineSize = firstLine(pending); lineSize > 0; lineSize = firstLine(pending)) {
      const isLarge = isCut || lineSize > MAX_BODY_BYTES;
      const record = isLarge
        ? { size: lineSize, found: { content: TOO_LARGE } }
        : read(pending, lineSize, isEnd || pending.length > MAX_BODY_BYTES);
      if (!record) return;
      const start = line;
      pass(record.size);
      isCut = false;
      if (record.found) yield { line: start, end: { offset, line }, bytes: record.size, ...record.found };
    }
    isCut ||= pending.length > MAX_BODY_BYTES;
    if (isCut) pass(pending.length);
  }

  for await (const chunk of chunks) {
    pending = Buffer.concat([pending, chunk]);
    yield* records(false);
  }
  // The last line may have no line break. If it has one, this adds an empty line, which no format counts.
  pending = Buffer.concat([pending, Buffer.of(LINE_FEED)]);
  yield* records(true);
}

/** @returns how many bytes the first line has, with its line break; 0 if it has none */
function firstLine(bytes: Buffer): number {
  return bytes.indexOf(LINE_FEED) + 1;
}
