import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../lambda/request/json.ts';
import { type ReadRecord, readRecords } from './read-records.ts';
import {
  contentOf,
  type InputRecord,
  NOT_UTF8,
  type Position,
  type RecordContent,
  refusalOf,
} from './record.ts';

/**
 * Reads the plants of an NDJSON text (one JSON object per line). Empty lines are skipped.
 * @param chunks the bytes of the text from a position on
 */
export function ndjsonRecords(chunks: AsyncIterable<Buffer>, start: Position): AsyncGenerator<InputRecord> {
  return readRecords(chunks, start, readLine);
}

const readLine: ReadRecord = (bytes, size) => {
  const line = bytes.subarray(0, size);
  const text = line.toString().trim();
  if (text === '') return { size };
  return { size, found: isUtf8(line) ? contentOfLine(text) : { content: NOT_UTF8, text } };
};

function contentOfLine(text: string): RecordContent {
  try {
    const properties = parseJson(text);
    return { content: contentOf(properties), properties, ...(properties ? {} : { text }) };
  } catch (error) {
    return { content: { refusal: refusalOf(error) }, text };
  }
}
