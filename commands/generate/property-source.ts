import type { Schema } from '../../contract/openapi.ts';
import { integer } from '../../lambda/property-types/integer.ts';
import { object } from '../../lambda/property-types/object.ts';
import type { PropertyType } from '../../lambda/property-types/property-type.ts';
import { text } from '../../lambda/property-types/text.ts';
import { type Kind, kindOf } from './property-kind.ts';
import { boolean } from './property-types/boolean.ts';
import { choice } from './property-types/choice.ts';
import { date } from './property-types/date.ts';
import { dateTime } from './property-types/date-time.ts';
import { decimal } from './property-types/decimal.ts';
import { double } from './property-types/double.ts';
import { duration } from './property-types/duration.ts';
import { email } from './property-types/email.ts';
import { int32 } from './property-types/int32.ts';
import { integerChoice } from './property-types/integer-choice.ts';
import { list } from './property-types/list.ts';
import { map } from './property-types/map.ts';
import { pattern } from './property-types/pattern.ts';
import { uri } from './property-types/uri.ts';
import { uuid } from './property-types/uuid.ts';

/** A property in TypeScript. */
export interface Source {
  /** How the function reads it, and the same as a value. */
  readonly code: string;
  readonly type: PropertyType<unknown>;
  /** The types that the code calls. */
  readonly kinds: readonly Kind[];
  /** Its type in the client. */
  readonly clientType: string;
  /** Where it has doubles, as client/src/json.ts takes it; undefined if it has none. */
  readonly doubles?: string | undefined;
}

/** A property with its source. */
export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly source: Source;
}

// biome-ignore lint/suspicious/noExplicitAny: each has parameters of its own, which schema-faults.ts has checked.
const TYPES: Record<Kind, (...args: any[]) => PropertyType<any>> = {
  text,
  pattern,
  'date-time': dateTime,
  date,
  duration,
  uuid,
  email,
  uri,
  choice,
  'integer-choice': integerChoice,
  integer,
  int32,
  double,
  decimal,
  boolean,
  list,
  object,
  map,
};

/**
 * Writes a property in TypeScript.
 * @param schema without faults
 * @throws SyntaxError if it has a pattern that is no regular expression
 */
export function sourceOf(schema: Schema): Source {
  const kind = kindOf(schema) as Kind;
  const { examples = [], enum: values = [], multipleOf = 1 } = schema;
  const part = (each: Schema | undefined) => sourceOf(each as Schema);
  const limits = limitsOf(schema);
  switch (kind) {
    case 'choice':
      return made(kind, values, values.map((each) => JSON.stringify(each)).join(' | '));
    case 'integer-choice':
      return made(kind, values, 'bigint | number');
    case 'pattern':
      return made(kind, [schema.pattern, `a text such as ${examples[0]}`, limits], 'string');
    case 'integer':
    case 'int32':
      return made(kind, limits ? [limits] : [], 'bigint | number');
    case 'double': {
      const { format } = schema;
      const given = format ? { format, ...limits } : limits;
      return { ...made(kind, given ? [given] : [], 'number'), doubles: 'true' };
    }
    case 'decimal':
      return made(kind, [{ places: Math.round(-Math.log10(multipleOf)), ...limits }], 'number');
    case 'boolean':
      return made(kind, [], 'boolean');
    case 'list': {
      const items = part(schema.items);
      const all = made(kind, [limits], `readonly (${items.clientType})[]`, items);
      return { ...all, doubles: items.doubles && `[${items.doubles}]` };
    }
    case 'map': {
      const value = part(schema.additionalProperties);
      const all = made(kind, [limits], `Readonly<Record<string, ${value.clientType}>>`, value);
      return { ...all, doubles: value.doubles && `[${value.doubles}]` };
    }
    case 'object':
      return objectOf(schema);
    default:
      return made(kind, limits ? [limits] : [], 'string');
  }
}

/** The keywords that the function of a type takes as they are, in an object. */
function limitsOf(schema: Schema): object | undefined {
  const names = [
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
    'uniqueItems',
    'maxProperties',
  ];
  const given = Object.entries(schema).filter(([name]) => names.includes(name));
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** @param of the type of its parts, which is the first argument */
function made(kind: Kind, args: readonly unknown[], clientType: string, of?: Source): Source {
  const written = args.map((each) => JSON.stringify(each));
  return {
    code: `${nameOf(kind)}(${[...(of ? [of.code] : []), ...written]})`,
    type: TYPES[kind](...(of ? [of.type] : []), ...args),
    kinds: [kind, ...(of?.kinds ?? [])],
    clientType,
  };
}

function objectOf({ properties = {}, required = [] }: Schema): Source {
  const members = Object.entries(properties).map(([name, each]) => ({
    name,
    required: required.includes(name),
    source: sourceOf(each),
  }));
  const types = members.map(({ name, required, source: { type } }) => [name, { type, required }]);
  return {
    code: `object({ ${members.map(member)} })`,
    type: object(Object.fromEntries(types)),
    kinds: ['object', ...members.flatMap(({ source: { kinds } }) => kinds)],
    clientType: `{ ${members.map((each) => field(each)).join(' ')} }`,
    doubles: doublesOf(members),
  };
}

/** Where properties have doubles. */
export function doublesOf(members: readonly Member[]): string | undefined {
  const some = members.flatMap(({ name, source: { doubles } }) =>
    doubles ? `${JSON.stringify(name)}: ${doubles}` : [],
  );
  return some.length === 0 ? undefined : `{ ${some} }`;
}

/** A property in a list of them. */
export function member({ name, required, source }: Member): string {
  return `${JSON.stringify(name)}: { type: ${source.code}, required: ${required} }`;
}

/** What an object without such a property has in its place, so that the compiler accepts it. */
const INHERITED = [
  'constructor',
  'toString',
  'toLocaleString',
  'valueOf',
  'isPrototypeOf',
  'propertyIsEnumerable',
];

/** A property in an interface. */
export function field({ name, required, source }: Member, orUndefined = true): string {
  const others = [
    ...(required || !orUndefined ? [] : ['undefined']),
    ...(!required && INHERITED.includes(name) ? [`object['${name}']`] : []),
  ];
  const type = [source.clientType, ...others].join(' | ');
  return `readonly ${JSON.stringify(name)}${required ? '' : '?'}: ${type};`;
}

/** The function of a type, as property-types/ names it. */
export function nameOf(kind: Kind): string {
  return kind.replace(/-(.)/, (_, letter: string) => letter.toUpperCase());
}
