import { PlainError } from '../../cli/plain-error.ts';
import type { Json } from '../../lambda/json.ts';
import { PROPERTIES, type PropertyName, typeOf } from '../../lambda/plant.ts';
import { type Empty, type Forms, formOf, meaningOf } from './csv-columns.ts';
import type { Field, Row } from './csv-rows.ts';
import { fieldValue } from './field-value.ts';
import { contentOf, type InputRecord, refuse } from './record.ts';

/**
 * Reads a row by the columns of its table.
 * @param forms of the columns; undefined if they are not known
 * @param empty what `""` means; undefined if the forms say it
 * @throws PlainError at a `""` that may be absent or an empty text
 */
export function readRow(
  row: Row,
  columns: readonly PropertyName[],
  forms: ReadonlyMap<PropertyName, Forms> | undefined,
  empty: Empty | undefined,
): Pick<InputRecord, 'content' | 'source'> {
  const { fields, line, delimiter } = row;
  // As text, because what is uncertain must not be read from the file of refused lines as certain.
  const refused = (message: string) => ({
    content: refuse(40002, message),
    source: fields.map(quoted).join(delimiter),
  });
  if (!isWhole(row, columns))
    return refused(
      `The number of fields (${fields.length}) differs from that of the header (${columns.length}).`,
    );
  const properties = new Map<string, Json>();
  let problem: string | undefined;
  for (const [n, name] of columns.entries()) {
    const field = fields[n];
    const form = formOf(field);
    const meaning = meaningOf(name, form, forms?.get(name), empty);
    if (!field || meaning === 'absent') continue;
    const { text } = field;
    // RFC 4180 has none there: a line break of another kind may be the end of a row.
    if (form === 'plain' && text.includes('\r'))
      return refused(
        `The ${name} has a carriage return without quotes: the line breaks of the file are mixed.`,
      );
    if (!meaning && form === '""')
      throw new PlainError(
        `In line ${line}, the ${name} is written "", which may mean absent or an empty text. Set --empty to absent or text; of a file, the import sees which.`,
      );
    if (!meaning)
      return refused(
        `The ${name} is written ${text}, which some tools write for no value. Leave the field empty if it is absent; put double quotes around it if it is a text.`,
      );
    if (delimiter === '\t' && form === 'plain' && text.includes('\\'))
      return refused(
        `The ${name} has a backslash, which some tools write for another character in a file with tabs. Use CSV with commas.`,
      );
    const read = fieldValue(typeOf(name).schema.type, text);
    properties.set(name, read.value);
    if (read.problem !== undefined) problem ??= `The ${name} ${read.problem}`;
  }
  const content = problem === undefined ? contentOf(properties) : refuse(40002, problem);
  return { content, source: properties };
}

/** Some tools write no fields at the end of a row for what is absent. */
export function isWhole({ fields }: Row, columns: readonly PropertyName[]): boolean {
  return (
    fields.length <= columns.length &&
    columns.slice(fields.length).every((name) => !PROPERTIES[name].required)
  );
}

function quoted({ text, isQuoted }: Field): string {
  return isQuoted || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
