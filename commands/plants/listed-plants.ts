import { readFileSync } from 'node:fs';
import { UsageError } from '../../cli/command-line.ts';
import { onFile } from '../../cli/file-error.ts';
import { type Json, jsonOf, NumberLiteral } from '../../lambda/json.ts';
import { parseJson } from '../../lambda/request/parse-json.ts';
import { ID, isId } from '../shared/plant-key.ts';

/** The plants of a list: each id in its digits, with the line of the plant, or undefined where the list has only the id. */
export type Listed = ReadonlyMap<string, string | undefined>;

/** Reads an id on the command line. @throws UsageError if it is not an int64 in plain digits */
export function listedPlant(id: string): Listed {
  if (isId(id)) return new Map([[id, undefined]]);
  throw new UsageError(`The id must be ${ID}.`);
}

/**
 * Reads a file of ids or of plants, one a line.
 * @throws UsageError at the first line that is neither, or of another plant with the same id, or if there is none
 */
export function listedPlants(file: string): Listed {
  // What editors and spreadsheets add: a byte order mark at the start, and empty lines at the end.
  const lines = onFile(file, 'read', () => readFileSync(file, 'utf8'))
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  while (/^\r*$/.test(lines.at(-1) ?? 'none')) lines.pop();
  if (lines.length === 0) throw new UsageError(`${file} is empty: it names no plant.`);
  const listed = new Map<string, string | undefined>();
  for (const [n, line] of lines.entries()) {
    const plant = isId(line) ? undefined : line;
    const id = plant === undefined ? line : idOf(plant);
    if (!isId(id))
      throw new UsageError(
        `${file}, line ${n + 1}, must be an id, ${ID}, or a plant, as an export to .ndjson writes it.`,
      );
    if (listed.has(id) && listed.get(id) !== plant)
      throw new UsageError(`${file}, line ${n + 1}, has the id of an earlier line, which differs.`);
    listed.set(id, plant);
  }
  return listed;
}

/** Whether a line of a list is of this item: the same properties and values, in any order. `null` is absent, as tools write it. */
export function isLineOf(line: string, item: ReadonlyMap<string, Json>): boolean {
  return ordered(parseJson(line)) === ordered(item);
}

function ordered(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(ordered)}]`;
  if (!(value instanceof Map)) return jsonOf(value);
  const members = [...value].filter(([, each]) => each !== null).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${ordered(each)}`)}}`;
}

/** The id in the line of a plant, in its own digits. @returns an empty text for any other line */
function idOf(line: string): string {
  try {
    const plant = parseJson(line, new Map([['id', 0]]));
    const id = plant instanceof Map ? plant.get('id') : undefined;
    return id instanceof NumberLiteral ? id.text : typeof id === 'string' ? id : '';
  } catch {
    return '';
  }
}
