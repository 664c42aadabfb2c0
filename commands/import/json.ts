import { parseJson } from '../../lambda/request/parse-json.ts';
import { jsonTexts } from './json-texts.ts';
import { contentOf, type InputRecord, refusalOf, refuse } from './record.ts';
import type { Source } from './source.ts';

/** A string, which is skipped even if it does not end, or a word that other languages have in place of JSON's. */
const FOREIGN_WORD = /"(?:[^"\\]|\\.)*"?|(-?\b(?:NaN|Infinity|undefined|None|True|False|nan|inf|NA)\b)/gs;

/** Reads the plants of a JSON text: one object a line (NDJSON), objects over several lines, or one list of objects. */
export async function* jsonRecords(source: Source): AsyncGenerator<InputRecord> {
  for await (const { line, text } of jsonTexts(source)) yield { line, size: text.length, ...readText(text) };
}

function readText(text: string): Pick<InputRecord, 'content' | 'source'> {
  try {
    const value = parseJson(text, undefined, 'The line');
    return { content: contentOf(value), source: value instanceof Map ? value : text };
  } catch (error) {
    for (const [, word] of text.matchAll(FOREIGN_WORD)) {
      if (word === undefined) continue;
      const message = `The line has ${word}, which is no JSON: write the value as JSON, and leave out an optional property that has none.`;
      return { content: refuse(40001, message), source: text };
    }
    return { content: refusalOf(error), source: text };
  }
}
