import { parseJson } from '../../lambda/request/parse-json.ts';
import { contentOf, type InputRecord, refusalOf } from './record.ts';

/** JSON's whitespace, and no other (RFC 8259 §2). */
const EMPTY = /^[ \t\r]*$/;

/** Reads the plants of an NDJSON text (one JSON object per line). Empty lines are skipped. */
export async function* ndjsonRecords(lines: AsyncIterable<string>): AsyncGenerator<InputRecord> {
  let line = 0;
  for await (const whole of lines) {
    line += 1;
    const text = whole.replace(/\r?\n$/, '');
    if (!EMPTY.test(text)) yield { line, size: text.length, ...readLine(text) };
  }
}

function readLine(text: string): Pick<InputRecord, 'content' | 'source'> {
  try {
    const value = parseJson(text, undefined, 'The line');
    return { content: contentOf(value), source: value instanceof Map ? value : text };
  } catch (error) {
    return { content: refusalOf(error), source: text };
  }
}
