import { PROPERTIES, type PropertyName, typeOf } from '../../lambda/plant.ts';
import type { Field } from './csv-rows.ts';

/** What `""` means. */
export type Empty = 'absent' | 'text';

/** MySQL's and ClickHouse's mark, which nobody writes for a text. */
const MYSQL = '\\N';
/** What tools write without quotes for a value that is absent; any of them may be a text. */
const MARKS = [MYSQL, 'NA', 'NULL', 'null', 'NaN', 'nan', '<NA>', 'None'] as const;

/** How a field is written: not at all, as `""`, as one of {@link MARKS}, or as another text with or without quotes. */
export type Form = 'nothing' | '""' | (typeof MARKS)[number] | 'quoted' | 'plain';

/** How many fields of a column are written in each form that it has. */
export type Forms = ReadonlyMap<Form, number>;

/** How a field is written. @param field undefined in a row that ends before it */
export function formOf(field: Field | undefined): Form {
  if (!field?.text) return field?.isQuoted ? '""' : 'nothing';
  if (field.isQuoted) return 'quoted';
  return MARKS.find((mark) => mark === field.text) ?? 'plain';
}

/**
 * Whether a field of a column is a text, or absent. Of a text, two forms are a question:
 * - `""` is the empty text, if the column has another form for what is absent; else it is absent, as some tools write it.
 * - A mark is a text where nothing is absent; where the texts have quotes, or it is `\N`, it is absent.
 * @param forms undefined if they are not known
 * @param chosen what `""` means
 * @returns undefined if that is not certain
 */
export function meaningOf(
  name: PropertyName,
  form: Form,
  forms: Forms | undefined,
  chosen?: Empty,
): Empty | undefined {
  if (form === 'nothing') return 'absent';
  if (form === 'quoted' || form === 'plain') return 'text';
  const { enum: choices } = typeOf(name).schema;
  if (Array.isArray(choices) && choices.includes(form)) return 'text';
  if (!isText(name)) return 'absent';
  if (form === '""' && chosen) return chosen;
  if (!forms) return undefined;
  const others = [...forms.keys()].filter((other) => other !== form);
  if (form === '""')
    return others.some((other) => meaningOf(name, other, forms) === 'absent') ? 'text' : 'absent';
  if (forms.has('nothing')) return form === MYSQL ? undefined : 'text';
  const isOnly = !others.some((other) => MARKS.includes(other as never));
  return isOnly && (form === MYSQL || (forms.has('quoted') && !forms.has('plain'))) ? 'absent' : undefined;
}

/** Whether any text is a value: not of a choice or a date. */
function isText(name: PropertyName): boolean {
  const { type, enum: choices, format } = typeOf(name).schema;
  return type === 'string' && choices === undefined && format === undefined;
}

/** What is read as absent and what as an empty text in a column, and why. @returns undefined if there is nothing to say */
export function describe(name: PropertyName, forms: Forms, chosen?: Empty): string | undefined {
  const written = (asked: readonly Form[], meaning: Empty) =>
    asked
      .filter((form) => forms.has(form) && meaningOf(name, form, forms, chosen) === meaning)
      .map((form) => `${forms.get(form)} written ${form === 'nothing' ? 'as nothing' : form}`)
      .join(', ');
  const absent = written(['nothing', '""', ...MARKS], 'absent');
  const isAssumed = written(['""'], 'absent') !== '' && isText(name) && !chosen;
  const empty = written(['""'], 'text');
  const why = chosen ? 'as --empty says' : 'because the column has another form for absent';
  const texts = written(MARKS, 'text');
  const parts = [
    absent && `absent: ${absent}`,
    empty && `empty texts: ${empty}, ${why}`,
    isAssumed && '"" is absent because the column has no other form for that; --empty text reads empty texts',
    texts && `texts: ${texts}, because absent is written as nothing`,
  ];
  // What is required and absent is refused, which says enough.
  const isTold = !PROPERTIES[name].required || ['""', ...MARKS].some((form) => forms.has(form as Form));
  const told = parts.filter(Boolean).join('; ');
  return told !== '' && isTold ? `${name}: ${told}.` : undefined;
}
