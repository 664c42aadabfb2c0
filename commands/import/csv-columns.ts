import { PROPERTIES, type PropertyName, typeOf } from '../../lambda/plant.ts';
import type { Field } from './csv-rows.ts';

/** What `""` means. */
export type Empty = 'absent' | 'text';

/** How the fields of a column are written. */
export interface Forms {
  nothing: number;
  /** `""` */
  empty: number;
  quoted: number;
  plain: number;
  /** Without quotes. */
  readonly marks: Map<string, number>;
}

/** What tools write without quotes for a value that is absent; any of them may be a text. */
const MARKS: readonly string[] = ['\\N', 'NA', 'NULL', 'null', 'NaN', 'nan', '<NA>', 'None'];
/** MySQL's and ClickHouse's mark, which nobody writes for a text. */
const MYSQL = '\\N';

/** How a field is written. */
export function formOf({ text, isQuoted }: Field): 'nothing' | 'empty' | 'quoted' | 'plain' | 'mark' {
  if (text === '') return isQuoted ? 'empty' : 'nothing';
  if (isQuoted) return 'quoted';
  return MARKS.includes(text) ? 'mark' : 'plain';
}

export function noForms(): Forms {
  return { nothing: 0, empty: 0, quoted: 0, plain: 0, marks: new Map() };
}

/** Counts a field of a column. @param field undefined in a row that ends before it */
export function count(forms: Forms, field: Field | undefined): void {
  const form = field ? formOf(field) : 'nothing';
  if (form === 'mark' && field) forms.marks.set(field.text, (forms.marks.get(field.text) ?? 0) + 1);
  else if (form !== 'mark') forms[form] += 1;
}

/**
 * What `""` means in a column: the empty text, if the column has another form for what is absent; else it is absent, as some tools write
 * it. Only of a text may it be a question.
 * @param forms undefined if they are not known
 * @returns undefined if that is not certain
 */
export function meaningOfEmpty(
  name: PropertyName,
  forms: Forms | undefined,
  chosen?: Empty,
): Empty | undefined {
  if (!isText(name)) return 'absent';
  if (chosen || !forms) return chosen;
  const absentMarks = [...forms.marks.keys()].some((mark) => meaningOfMark(name, mark, forms) === 'absent');
  return forms.nothing > 0 || absentMarks ? 'text' : 'absent';
}

/**
 * What a mark means in a column. For a text it is a question: where nothing is absent, it is a text; where the texts have quotes, or it is
 * `\N`, it is absent.
 * @param forms undefined if they are not known
 * @returns undefined if that is not certain
 */
export function meaningOfMark(name: PropertyName, mark: string, forms: Forms | undefined): Empty | undefined {
  const { enum: choices } = typeOf(name).schema;
  if (Array.isArray(choices) && choices.includes(mark)) return 'text';
  if (!isText(name)) return 'absent';
  if (!forms) return undefined;
  if (forms.nothing > 0) return mark === MYSQL ? undefined : 'text';
  const isOnly = forms.marks.size === 1;
  return isOnly && (mark === MYSQL || (forms.plain === 0 && forms.quoted > 0)) ? 'absent' : undefined;
}

/** Whether any text is a value: not of a choice or a date. */
function isText(name: PropertyName): boolean {
  const { type, enum: choices, format } = typeOf(name).schema;
  return type === 'string' && choices === undefined && format === undefined;
}

/** What is read as absent and what as an empty text in a column, and why. @returns undefined if there is nothing to say */
export function describe(name: PropertyName, forms: Forms, chosen?: Empty): string | undefined {
  const empty = meaningOfEmpty(name, forms, chosen);
  const marks = [...forms.marks].map(([mark, count]) => ({
    mark,
    count,
    as: meaningOfMark(name, mark, forms),
  }));
  const absent = [
    ...(forms.nothing > 0 ? [`${forms.nothing} written as nothing`] : []),
    ...(forms.empty > 0 && empty === 'absent' ? [`${forms.empty} written ""`] : []),
    ...marks.filter(({ as }) => as === 'absent').map(({ mark, count }) => `${count} written ${mark}`),
  ];
  const texts = marks.filter(({ as }) => as === 'text').map(({ mark, count }) => `${count} written ${mark}`);
  const parts = [
    ...(absent.length > 0 ? [`absent: ${absent.join(', ')}`] : []),
    ...(forms.empty > 0 && empty === 'text'
      ? [
          `empty texts: ${forms.empty} written "", ${chosen ? 'as --empty says' : 'because the column has another form for absent'}`,
        ]
      : []),
    ...(forms.empty > 0 && empty === 'absent' && isText(name) && !chosen
      ? ['"" is absent because the column has no other form for that; --empty text reads empty texts']
      : []),
    ...(texts.length > 0 ? [`texts: ${texts.join(', ')}, because absent is written as nothing`] : []),
  ];
  const isRequired = PROPERTIES[name].required;
  return parts.length === 0 || (isRequired && forms.empty === 0 && marks.length === 0)
    ? undefined
    : `${name}: ${parts.join('; ')}.`;
}
