import type { Json } from '../../lambda/json.ts';
import { parseJson } from '../../lambda/request/parse-json.ts';
import { wrappedItem } from './dynamodb-item.ts';
import { jsonTexts } from './json-texts.ts';
import { type FileNames, fileNames } from './names.ts';
import { contentOf, type InputRecord, REFUSED, type Reading, refusalOf, refuse } from './record.ts';
import type { Source } from './source.ts';

/** A string, which is skipped even if it does not end, or a word that other languages have in place of JSON's. */
const FOREIGN_WORD = /"(?:[^"\\]|\\.)*"?|(-?\b(?:NaN|Infinity|undefined|None|True|False|nan|inf|NA)\b)/gs;

/** Reads the plants of a JSON text: one object a line (NDJSON), objects over several lines, or one list of objects. */
export async function* jsonRecords(
  source: Source,
  { names = fileNames() }: Reading = {},
): AsyncGenerator<InputRecord> {
  for await (const { line, text } of jsonTexts(source))
    yield { line, size: text.length, ...readText(text, names) };
}

function readText(text: string, names: FileNames): Pick<InputRecord, 'content' | 'source'> {
  let value: Json | undefined;
  try {
    value = parseJson(text, undefined, 'The line');
    if (value instanceof Map) value = withNames(value, names);
    return { content: contentOf(value), source: value instanceof Map ? value : text };
  } catch (error) {
    if (value instanceof Map) return { content: refusalOf(error), source: value };
    for (const [, word] of text.matchAll(FOREIGN_WORD)) {
      if (word === undefined) continue;
      const message = `The line has ${word}, which is no JSON: write the value as JSON, and leave out an optional property that has none.`;
      return { content: refuse(40001, message), source: text };
    }
    return { content: refusalOf(error), source: text };
  }
}

/** A line, or its item, with the names of properties. */
function withNames(line: ReadonlyMap<string, Json>, names: FileNames): ReadonlyMap<string, Json> {
  const item = wrappedItem(line, REFUSED);
  return item ? new Map([...line, ['Item', names.of(item)]]) : names.of(line);
}
