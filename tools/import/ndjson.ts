import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../lambda/request/json.ts';
import { type FindEnd, splitRecords } from './read-records.ts';
import {
  contentOf,
  type InputRecord,
  notUtf8,
  type RecordContent,
  refusalOf,
  refuse,
  TOO_LARGE,
} from './record.ts';

const NOT_UTF8 = refuse(40001, notUtf8('The line', 'UTF-8'));
const LINE_FEED = 0x0a;
/** JSON's whitespace, and no other (RFC 8259 §2). */
const EMPTY = /^[ \t\r]*$/;

const findEnd: FindEnd = (bytes, from) => bytes.indexOf(LINE_FEED, from);

/**
 * Reads the plants of an NDJSON text (one JSON object per line). Empty lines are skipped.
 * @param chunks the bytes of the text, without a byte order mark
 */
export async function* ndjsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputRecord> {
  for await (const { content: line, ...record } of splitRecords(chunks, findEnd)) {
    if (!line) yield { ...record, content: TOO_LARGE };
    else if (!isUtf8(line)) yield { ...record, content: NOT_UTF8 };
    else if (!EMPTY.test(line.toString())) yield { ...record, ...contentOfLine(line.toString()) };
  }
}

function contentOfLine(text: string): RecordContent {
  try {
    const properties = parseJson(text);
    return { content: contentOf(properties), properties, ...(properties ? {} : { text }) };
  } catch (error) {
    return { content: { refusal: refusalOf(error) }, text };
  }
}
