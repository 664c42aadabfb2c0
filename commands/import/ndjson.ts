import { isUtf8 } from 'node:buffer';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import { parseJson } from '../../lambda/request/json.ts';
import { contentOf, type InputRecord, notUtf8, type RecordContent, refusalOf, refuse } from './record.ts';

const NOT_UTF8 = refuse(40001, notUtf8('The line', 'UTF-8'));
const TOO_LARGE = refuse(41301, 'The line is over 1 MiB.');
const LINE_FEED = 0x0a;
/** JSON's whitespace, and no other (RFC 8259 §2). */
const EMPTY = /^[ \t\r]*$/;

/**
 * Reads the plants of an NDJSON text (one JSON object per line). Empty lines are skipped.
 * @param chunks the bytes of the text, without a byte order mark
 */
export async function* ndjsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputRecord> {
  let line = 0;
  let offset = 0;
  for await (const { content, bytes } of lines(chunks)) {
    line += 1;
    offset += bytes;
    const place = { line, end: { offset, line: line + 1 }, bytes };
    if (!content) yield { ...place, content: TOO_LARGE };
    else if (!isUtf8(content)) yield { ...place, content: NOT_UTF8 };
    else if (!EMPTY.test(content.toString())) yield { ...place, ...contentOfLine(content.toString()) };
  }
}

/** Divides a text into lines, with their line breaks. One over 1 MiB has no content: it is not kept in memory. */
async function* lines(chunks: AsyncIterable<Buffer>) {
  let parts: Buffer[] = [];
  let bytes = 0;
  const finish = () => {
    const content = parts.length > 0 ? withoutBreak(Buffer.concat(parts)) : undefined;
    const line = { bytes, content: content && content.length <= MAX_BODY_BYTES ? content : undefined };
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(LINE_FEED, from);
      const part = chunk.subarray(from, at < 0 ? undefined : at + 1);
      from += part.length;
      bytes += part.length;
      // The line break does not count, and may have two bytes.
      if (bytes <= MAX_BODY_BYTES + 2) parts.push(part);
      else parts = [];
      if (at >= 0) yield finish();
    }
  }
  if (bytes > 0) yield finish();
}

function withoutBreak(line: Buffer): Buffer {
  const [text = ''] = /\r?\n$/.exec(line.toString('latin1', Math.max(0, line.length - 2))) ?? [];
  return line.subarray(0, line.length - text.length);
}

function contentOfLine(text: string): RecordContent {
  try {
    const properties = parseJson(text);
    return { content: contentOf(properties), properties, ...(properties ? {} : { text }) };
  } catch (error) {
    return { content: { refusal: refusalOf(error) }, text };
  }
}
