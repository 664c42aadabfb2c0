import { isUtf8 } from 'node:buffer';
import { PlainError } from '../../local/plain-error.ts';
import { contentOf, type InputRecord, type Properties, refuse } from './record.ts';

const COLUMNS = ['id', 'name', 'tag'];

/** Checks the names of a header. @throws PlainError unless they are columns of plants */
export function checkedHeader(names: readonly string[]): readonly string[] {
  const wrong = names.find((name, at) => !COLUMNS.includes(name) || names.indexOf(name) !== at);
  if (wrong === undefined && names.includes('id') && names.includes('name')) return names;
  const what = wrong === undefined ? 'lacks id or name' : `has ${JSON.stringify(wrong.slice(0, 40))}`;
  throw new PlainError(
    `The header ${what}; the columns are id, name and optionally tag, separated by commas.`,
  );
}

/**
 * Reads the plant of a row.
 * @param bytes the original row
 */
export function contentOfRow(
  fields: readonly string[],
  columns: readonly string[],
  bytes: Buffer,
): Pick<InputRecord, 'content' | 'properties' | 'text'> {
  const text = bytes.toString().trimEnd();
  if (!isUtf8(bytes)) return { content: refuse(40001, 'The line is not UTF-8.'), text };
  if (fields.length !== columns.length) {
    const message = `The line has another number of fields (${fields.length}) than the header (${columns.length}).`;
    return { content: refuse(40002, message), text };
  }
  const given = fields.map((field, at) => [columns[at] ?? '', field] as const).filter(([, field]) => field);
  const properties: Properties = new Map(given.map(([name, field]) => [name, jsonOf(name, field)]));
  return { content: contentOf(properties), properties };
}

/** An id stays as it is written; anything that is not an integer becomes a string, which is refused. */
function jsonOf(name: string, field: string): string {
  return name === 'id' && /^-?(0|[1-9]\d*)$/.test(field) ? field : JSON.stringify(field);
}
