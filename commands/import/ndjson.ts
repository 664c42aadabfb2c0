import { parseJson } from '../../lambda/request/json.ts';
import { contentOf, type InputRecord, refusalOf } from './record.ts';

/** JSON's whitespace, and no other (RFC 8259 §2). */
const EMPTY = /^[ \t\r]*$/;

/**
 * Reads the plants of an NDJSON text (one JSON object per line). Empty lines are skipped.
 * @param blocks whole lines
 */
export async function* ndjsonRecords(blocks: AsyncIterable<string>): AsyncGenerator<InputRecord> {
  let first = 1;
  for await (const block of blocks) {
    const lines = block.split(/\r?\n/);
    for (const [n, line] of lines.entries())
      if (!EMPTY.test(line)) yield { line: first + n, size: line.length, ...readLine(line) };
    // After the last line break begins the first line of the next block.
    first += lines.length - 1;
  }
}

function readLine(text: string): Pick<InputRecord, 'content' | 'source'> {
  try {
    const properties = parseJson(text);
    return { content: contentOf(properties), source: properties ?? text };
  } catch (error) {
    return { content: refusalOf(error), source: text };
  }
}
