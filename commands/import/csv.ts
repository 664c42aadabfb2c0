import { PlainError } from '../../cli/plain-error.ts';
import type { Json } from '../../lambda/json.ts';
import { PROPERTIES, PROPERTY_NAMES, type PropertyName, typeOf } from '../../lambda/plant.ts';
import { csvRows, type Field, MAY_HAVE_NO_QUOTES, QUOTES_MAY_BE_TEXT, type Row } from './csv-rows.ts';
import { fieldValue } from './field-value.ts';
import { type FileNames, fileNames, TO_GO_ON } from './names.ts';
import { contentOf, type InputRecord, type Reading, refuse, unknownProperties } from './record.ts';
import type { Source } from './source.ts';

const REQUIRED = PROPERTY_NAMES.filter((name) => PROPERTIES[name].required);
/** What tools write without quotes for a value that is absent; any of them may be a text. */
const MARKS = ['\\N', 'NA', 'NULL', 'null', 'NaN', 'nan', '<NA>', 'None'];

/**
 * Reads the plants of a CSV text with a header. What a field means does not depend on other rows.
 * @param reading with `absent`, no mark is asked about
 * @throws PlainError if the header does not have the columns of plants, or at a row that is no CSV
 */
export async function* csvRecords(
  source: Source,
  { absent, quotes, names = fileNames() }: Reading = {},
): AsyncGenerator<InputRecord> {
  let columns: readonly Column[] | undefined;
  for await (const row of csvRows(source, quotes)) {
    const { line, size } = row;
    if (columns) yield { line, size, ...readRow(row, columns, absent) };
    else columns = columnsOf(row, names);
  }
  if (!columns) throw new PlainError('The CSV file is empty; its first line must name the columns.');
}

/** A column: of a property, or one that is left out. */
type Column = ReturnType<FileNames['ofColumns']>[number] & { readonly property: PropertyName | undefined };

/** Reads the header. @throws PlainError unless its fields are columns of plants, each once, with all that are required */
function columnsOf({ fields, header }: Row, names: FileNames): readonly Column[] {
  const columns = names.ofColumns(fields.map(({ text }) => text));
  const properties = columns.flatMap(({ property }) => property ?? []);
  const unknown = properties.filter((name) => !Object.hasOwn(PROPERTIES, name));
  const isRight =
    unknown.length === 0 &&
    new Set(properties).size === properties.length &&
    REQUIRED.every((name) => properties.includes(name));
  if (isRight) return columns as readonly Column[];
  const hints = [
    unknown.some((name) => name !== '') && ` ${unknownProperties(unknown)} ${TO_GO_ON}`,
    fields[0]?.text === '' &&
      ' A column without a name is the number of the row, which pandas (index=False leaves it out) and R (row.names=FALSE) write.',
    header.includes('\r') && " It has a carriage return too many: remove it, as by tr -d '\\r'.",
  ];
  throw new PlainError(
    `The header is ${JSON.stringify(header.slice(0, 80))}; the columns are ${PROPERTY_NAMES.join(', ')} (required: ${REQUIRED.join(', ')}), each once, separated by commas, semicolons, tabs or bars.${hints.filter(Boolean).join('')}`,
  );
}

function readRow(
  { fields, delimiter }: Row,
  columns: readonly Column[],
  absent: Reading['absent'],
): Pick<InputRecord, 'content' | 'source'> {
  // As text, because what is uncertain must not be read from the file of refused lines as certain.
  const refused = (message: string) => ({
    content: refuse(40002, message),
    source: fields.map(written).join(delimiter),
  });
  // Some tools write no fields at the end of a row for what is absent.
  if (
    fields.length > columns.length ||
    columns.slice(fields.length).some(({ property }) => property && PROPERTIES[property].required)
  )
    return refused(
      `The number of fields (${fields.length}) differs from that of the header (${columns.length}).`,
    );
  const properties = new Map<string, Json>();
  const empty: PropertyName[] = [];
  let problem: string | undefined;
  for (const [n, field] of fields.entries()) {
    const { property: name, given } = columns[n] as Column;
    const { text, isQuoted } = field;
    if ((absent ?? ['']).includes(isQuoted ? quoted(text) : text)) continue;
    if (given) given.count += 1;
    // Several rows may have become one.
    const isLong = text.includes('\n') || text.includes(delimiter);
    if (isQuoted && isLong && MAY_HAVE_NO_QUOTES.includes(delimiter))
      return refused(
        `The row has a line break or a separator between quotes. ${QUOTES_MAY_BE_TEXT} If quotes stand around texts here, use CSV with commas.`,
      );
    if (name === undefined) continue;
    const uncertain = isQuoted ? undefined : doubt(name, text, delimiter, absent !== undefined);
    if (uncertain !== undefined) return refused(`The ${name} ${uncertain}`);
    const read = fieldValue(typeOf(name).schema, text);
    properties.set(name, read.value);
    if (read.problem !== undefined) problem ??= `The ${name} ${read.problem}`;
    if (isQuoted && text === '' && !PROPERTIES[name].required) empty.push(name);
  }
  const content = problem === undefined ? contentOf(properties) : refuse(40002, problem);
  if (!('refusal' in content) || !empty.some((name) => content.refusal.message.includes(name)))
    return { content, source: properties };
  const { error, message } = content.refusal;
  return { content: refuse(error, `${message} If "" is absent, --null '""' says so.`), source: properties };
}

/** What is not certain about a field without quotes. */
function doubt(name: PropertyName, text: string, delimiter: string, isTold: boolean): string | undefined {
  if (!isTold && !PROPERTIES[name].required && isMark(text, typeOf(name).schema))
    return `is written ${text}, which some tools write for what is absent. Say what is: --null '${text}' (and --null '' if an empty field is, too), or --null '' alone if ${text} is a text.`;
  // RFC 4180 has none there: a line break of another kind may be the end of a row.
  if (text.includes('\r'))
    return 'has a carriage return without quotes: the line breaks of the file are mixed.';
  if (MAY_HAVE_NO_QUOTES.includes(delimiter) && text.includes('\\'))
    return 'has a backslash, which some tools write for another character in a file with tabs or bars. Use CSV with commas.';
  return undefined;
}

/** Whether a text may stand for what is absent, and is none of the property's choices. */
export function isMark(text: string, { enum: choices }: Readonly<Record<string, unknown>>): boolean {
  return MARKS.includes(text) && !(Array.isArray(choices) && choices.includes(text));
}

/** As in the file, up to quotes that it need not have. */
function written({ text, isQuoted }: Field): string {
  return isQuoted || /[",;\t|\r\n]/.test(text) ? quoted(text) : text;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
