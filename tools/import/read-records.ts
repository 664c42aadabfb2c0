import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import type { Position } from './record.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A record of the input before it is read. */
export interface RawRecord {
  /** The number of its first line, counted from 1. */
  readonly line: number;
  readonly end: Position;
  /** How many bytes of the input it takes, with its line break. */
  readonly bytes: number;
  /** Its bytes without the line break; undefined if they are more than 1 MiB. */
  readonly content: Buffer | undefined;
}

/**
 * Finds the line feed that ends a record. It is called once for each byte of the input, in order.
 * @param from where in the bytes the record begins or goes on
 * @param line the number of the record's first line
 * @returns the index of the line feed; -1 if all bytes from there on belong to the record
 * @throws PlainError if it cannot know where the record ends
 */
export type FindEnd = (bytes: Buffer, from: number, line: number) => number;

/**
 * Divides an input into records. A record over 1 MiB is followed to its end, and is not kept in memory.
 * @param chunks the bytes of the input
 * @param most the most bytes of a record
 */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  findEnd: FindEnd,
  most = MAX_BODY_BYTES,
): AsyncGenerator<RawRecord> {
  let end: Position = { offset: 0, line: 1 };
  let parts: Buffer[] = [];
  let bytes = 0;
  let lines = 0;

  function add(part: Buffer): void {
    bytes += part.length;
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) lines += 1;
    // The line break does not count, and may have two bytes.
    if (bytes <= most + 2) parts.push(part);
    else parts = [];
  }

  function finish(): RawRecord {
    const content = bytes <= most + 2 ? withoutBreak(Buffer.concat(parts)) : undefined;
    const { line } = end;
    end = { offset: end.offset + bytes, line: line + lines };
    const record = { line, end, bytes, content: content && content.length <= most ? content : undefined };
    parts = [];
    bytes = 0;
    lines = 0;
    return record;
  }

  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const at = findEnd(chunk, from, end.line);
      add(chunk.subarray(from, at < 0 ? undefined : at + 1));
      if (at < 0) break;
      from = at + 1;
      yield finish();
    }
  }
  if (bytes === 0) return;
  // The last line has no line break.
  lines += 1;
  yield finish();
}

function withoutBreak(bytes: Buffer): Buffer {
  if (bytes.at(-1) !== LINE_FEED) return bytes;
  return bytes.subarray(0, bytes.at(-2) === CARRIAGE_RETURN ? -2 : -1);
}
