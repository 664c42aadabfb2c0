import { isUtf8 } from 'node:buffer';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import { parseJson } from '../../lambda/request/json.ts';
import { contentOf, type InputRecord, type Position, refusalOf, refuse } from './record.ts';

const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);
const TOO_LARGE = refuse(41301, 'The line is over 1 MiB.');

/**
 * Reads the plants of an NDJSON text (one JSON object per line). Empty lines are skipped.
 * @param chunks the bytes of the text from a position on
 * @returns the records of each chunk. A line that is too large is not kept.
 */
export async function* ndjsonRecords(
  chunks: AsyncIterable<Buffer>,
  { offset, line }: Position,
): AsyncGenerator<InputRecord[]> {
  /** The start of a line whose end has not been read; undefined if it is too large already. */
  let start: Buffer | undefined = NOTHING;
  const finish = (bytes: Buffer | undefined, size: number): InputRecord => {
    offset += size;
    line += 1;
    const content = bytes ? read(bytes) : { content: TOO_LARGE };
    return { line: line - 1, end: { offset, line }, ...content };
  };
  let size = 0;
  for await (const chunk of chunks) {
    const records: InputRecord[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      const record = finish(join(start, chunk.subarray(from, at)), size + at + 1 - from);
      if (record.text !== '') records.push(record);
      [start, size, from] = [NOTHING, 0, at + 1];
    }
    start = join(start, chunk.subarray(from));
    size += chunk.length - from;
    yield records;
  }
  const last = finish(start, size);
  if (last.text !== '') yield [last];
}

/** @returns undefined if the line is too large */
function join(start: Buffer | undefined, more: Buffer): Buffer | undefined {
  if (start === undefined || start.length + more.length > MAX_BODY_BYTES) return undefined;
  return start.length === 0 ? more : Buffer.concat([start, more]);
}

/** Reads one line. The text of an empty line is empty. */
function read(bytes: Buffer): Pick<InputRecord, 'content' | 'properties' | 'text'> {
  const text = bytes.toString().trim();
  if (!isUtf8(bytes)) return { content: refuse(40001, 'The line is not UTF-8.'), text };
  try {
    const properties = parseJson(text);
    return { content: contentOf(properties), properties, ...(properties ? {} : { text }) };
  } catch (error) {
    return { content: { refusal: refusalOf(error) }, text };
  }
}
