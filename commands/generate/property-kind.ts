import type { Schema } from '../../contract/openapi.ts';
import { MAP_NAME } from './property-types/map.ts';

/** What makes a map of an object. */
export const A_MAP = `additionalProperties with the type of the values of a map, maxProperties, and propertyNames: { pattern: '${MAP_NAME}' }`;

/** What a type of property-types/ may be written as, and what it becomes. */
interface KindOfProperty {
  /** What a schema has, in words. */
  readonly has: string;
  /** How it is written, without its keywords. */
  readonly write: string;
  /** The keywords that its schema may have besides `type`, and those that it needs, each with what to write. */
  readonly may: readonly string[];
  readonly needs?: Readonly<Record<string, string>>;
  readonly inClient: string;
  readonly inCsv: string;
}

const TEXT = { inClient: '`string`', inCsv: 'as it is' };
const FORM = { ...TEXT, may: ['format'] };
const INTEGER = { inClient: '`bigint \\| number`', inCsv: 'plain digits' };

/** The types, in the order of the documents. */
export const KINDS = {
  text: { has: 'a text', write: '`type: string`', may: ['minLength', 'maxLength'], ...TEXT },
  pattern: {
    has: 'a text of a form',
    write:
      '`type: string`, `pattern`, beside them an example for the message (also inside a list or an object)',
    may: ['pattern'],
    needs: {
      maxLength: 'write the length of the longest text, because the time of a pattern may grow with it',
    },
    ...TEXT,
  },
  'date-time': { has: 'a date and time (RFC 3339)', write: '`type: string`, `format: date-time`', ...FORM },
  date: { has: 'a date (RFC 3339)', write: '`type: string`, `format: date`', ...FORM },
  duration: {
    has: 'a duration (ISO 8601, in the form of RFC 3339, appendix A)',
    write: '`type: string`, `format: duration`',
    ...FORM,
  },
  uuid: { has: 'a UUID (RFC 9562)', write: '`type: string`, `format: uuid`', ...FORM },
  email: { has: 'an e-mail address (HTML Standard)', write: '`type: string`, `format: email`', ...FORM },
  uri: {
    has: 'a URI (RFC 3986)',
    write: '`type: string`, `format: uri`',
    ...FORM,
    may: ['format', 'maxLength'],
  },
  choice: {
    has: 'one of some texts',
    write: '`type: string`, `enum: [single, double]`',
    may: ['enum'],
    inClient: "`'single' \\| 'double'`",
    inCsv: 'as it is',
  },
  'integer-choice': {
    has: 'one of some integers',
    write: '`type: integer`, `enum: [100, 200]`',
    may: ['enum', 'format'],
    ...INTEGER,
  },
  integer: { has: 'an int64', write: '`type: integer`', may: ['format', 'minimum', 'maximum'], ...INTEGER },
  int32: {
    has: 'an int32',
    write: '`type: integer`, `format: int32`',
    may: ['format', 'minimum', 'maximum'],
    ...INTEGER,
  },
  double: {
    has: 'a double, such as a coordinate or a measured value',
    write: '`type: number`',
    may: ['format', 'minimum', 'maximum'],
    inClient: '`number`',
    inCsv: 'a number as in JSON, also with an exponent',
  },
  decimal: {
    has: 'an amount',
    write: '`type: number`, `multipleOf: 0.01`',
    may: ['multipleOf'],
    needs: {
      minimum: 'write the least, or leave multipleOf out for a double',
      maximum: 'write the largest, or leave multipleOf out for a double',
    },
    inClient: '`number`',
    inCsv: 'plain digits and a point',
  },
  boolean: {
    has: 'true or false',
    write: '`type: boolean`',
    may: [],
    inClient: '`boolean`',
    inCsv: '`true`, or `TRUE` of a spreadsheet',
  },
  list: {
    has: 'a list',
    write: '`type: array`',
    may: ['minItems', 'uniqueItems'],
    needs: { items: 'write the type of the items', maxItems: 'write how many items there are at most' },
    inClient: '`readonly string[]`',
    inCsv: 'JSON',
  },
  object: {
    has: 'an object',
    write: '`type: object`',
    may: ['required'],
    needs: {
      properties: `write its properties; or ${A_MAP}; or type: string for a text that holds JSON`,
    },
    inClient: 'an object',
    inCsv: 'JSON',
  },
  map: {
    has: 'a map',
    write: `\`type: object\`, \`additionalProperties\` (the type of a value), \`propertyNames: { pattern: '${MAP_NAME}' }\``,
    may: ['additionalProperties'],
    needs: {
      maxProperties: 'write how many entries there are at most',
      propertyNames: `write propertyNames: { pattern: '${MAP_NAME}' }`,
    },
    inClient: '`Readonly<Record<string, …>>`',
    inCsv: 'JSON',
  },
} as const satisfies Record<string, KindOfProperty>;
export type Kind = keyof typeof KINDS;

/** The keywords that a type may have, and those that it needs. */
export function keywordsOf(kind: Kind): Required<Pick<KindOfProperty, 'may' | 'needs'>> {
  const { may, needs = {} }: KindOfProperty = KINDS[kind];
  return { may, needs };
}

/** The formats of texts. */
export const FORMATS = ['date-time', 'date', 'duration', 'uuid', 'email', 'uri'] as const;

/** Keywords that say nothing of the values. */
export const isNote = (keyword: string) =>
  ['description', 'examples', 'title', 'deprecated', '$comment'].includes(keyword) ||
  keyword.startsWith('x-');

/** A schema without what says nothing of the values, and the names that it requires in order; also of the parts inside, which may have such names. */
export function withoutNotes(schema: Schema): object {
  const { properties, items, additionalProperties: values, required, ...rest } = schema;
  const inside = (part: Schema | undefined) => part && withoutNotes(part);
  const parts = {
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, withoutNotes(part)])),
    required: required?.toSorted(),
    items: inside(items),
    additionalProperties: inside(values),
  };
  const all = Object.entries({ ...rest, ...parts });
  return Object.fromEntries(all.filter(([name, value]) => !isNote(name) && value !== undefined));
}

/** Finds the type of a schema. @returns undefined if there is none */
export function kindOf(schema: Schema): Kind | undefined {
  const { type, format, enum: values, pattern, multipleOf, additionalProperties } = schema;
  switch (type) {
    case 'string':
      if (values) return 'choice';
      if (format) return FORMATS.find((each) => each === format);
      return pattern === undefined ? 'text' : 'pattern';
    case 'integer':
      if (format === 'int32') return values ? undefined : 'int32';
      if (format !== 'int64') return undefined;
      return values ? 'integer-choice' : 'integer';
    case 'number':
      if (multipleOf !== undefined) return 'decimal';
      return format === undefined || format === 'double' ? 'double' : undefined;
    case 'object':
      return additionalProperties ? 'map' : 'object';
    default:
      return ({ boolean: 'boolean', array: 'list' } as const)[type as 'array'];
  }
}
