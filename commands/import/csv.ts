import { PlainError } from '../../cli/plain-error.ts';
import { PROPERTIES, PROPERTY_NAMES, type PropertyName } from '../../lambda/plant.ts';
import { describe, type Empty, type Form, formOf } from './csv-columns.ts';
import { isWhole, readRow } from './csv-record.ts';
import { csvRows, type Row } from './csv-rows.ts';
import type { InputRecord } from './record.ts';
import type { Source } from './source.ts';

/** What a reader of CSV needs beside the text. */
export interface CsvOptions {
  /** What `""` means; by default, the other fields of the column say it. */
  readonly empty?: Empty | undefined;
  /** Gets a sentence about each column in which something is absent or empty. */
  readonly tell: (sentence: string) => void;
}

const REQUIRED = PROPERTY_NAMES.filter((name) => PROPERTIES[name].required);

/**
 * Reads the plants of a CSV text with a header. A file is read twice: first, how absent and empty values are written in each column.
 * @throws PlainError if the header does not have the columns of plants, or at a row that is no CSV; of standard input also at a `""` that may
 * be both
 */
export async function* csvRecords(source: Source, options: CsvOptions): AsyncGenerator<InputRecord> {
  const forms = source.isRepeatable ? await formsOf(source, options) : undefined;
  for await (const { row, columns } of plantRows(source)) {
    const { line, size } = row;
    yield { line, size, ...readRow(row, columns, forms, options.empty) };
  }
}

async function formsOf(source: Source, { tell, empty }: CsvOptions) {
  const forms = new Map<PropertyName, Map<Form, number>>();
  for await (const { row, columns } of plantRows(source)) {
    if (!isWhole(row, columns)) continue;
    for (const [n, name] of columns.entries()) {
      const column = forms.get(name) ?? new Map<Form, number>();
      const form = formOf(row.fields[n]);
      forms.set(name, column.set(form, (column.get(form) ?? 0) + 1));
    }
  }
  for (const [name, each] of forms) {
    const sentence = describe(name, each, empty);
    if (sentence !== undefined) tell(sentence);
  }
  return forms;
}

/** The rows after the header, with their columns. */
async function* plantRows(source: Source) {
  let columns: readonly PropertyName[] | undefined;
  for await (const row of csvRows(source)) {
    if (columns) yield { row, columns };
    else columns = columnsOf(row);
  }
  if (!columns) throw new PlainError('The CSV file is empty; its first line must name the columns.');
}

/** Reads the header. @throws PlainError unless its fields are columns of plants, each once, with all that are required */
function columnsOf({ fields, header }: Row): readonly PropertyName[] {
  const names = fields.map(({ text }) => text);
  const isRight =
    names.every((name) => Object.hasOwn(PROPERTIES, name)) &&
    new Set(names).size === names.length &&
    REQUIRED.every((name) => names.includes(name));
  if (isRight) return names as readonly PropertyName[];
  const hints = [
    names[0] === '' &&
      ' A column without a name is the number of the row, which pandas (index=False leaves it out) and R (row.names=FALSE) write.',
    header.includes('\r') && " It has a carriage return too many: remove it, as by tr -d '\\r'.",
  ];
  throw new PlainError(
    `The header is ${JSON.stringify(header.slice(0, 80))}; the columns are ${PROPERTY_NAMES.join(', ')} (required: ${REQUIRED.join(', ')}), each once, separated by commas, semicolons or tabs.${hints.filter(Boolean).join('')}`,
  );
}
