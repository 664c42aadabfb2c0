import type { Schema } from '../../contract/openapi.ts';
import { mendOf } from './keyword-mends.ts';
import { FORMATS, isNote, KINDS, type Kind, keywordsOf, kindOf } from './property-kind.ts';
import { faultOfName } from './property-name.ts';
import { DIGITS, MOST_PLACES } from './property-types/decimal.ts';
import { MAP_NAME } from './property-types/map.ts';
import { VARIANTS } from './written-in-place.ts';

/** What is wrong with a schema, and what to write. */
export interface Fault {
  /** The keys of the schema, from the property on. */
  readonly place: readonly string[];
  /** The property, or the path of a part of it, such as `stops[].city`. */
  readonly path: string;
  readonly what: string;
}

/** Finds all that is wrong with a schema. @param path the name of the property @param place as in {@link Fault} */
export function faultsOf(schema: Schema, path: string, place: readonly string[] = []): Fault[] {
  const fault = (what: string, ...keys: string[]): Fault => ({ place: [...place, ...keys], path, what });
  const kind = kindOf(schema);
  const { may, needs } = kind ? keywordsOf(kind) : { may: [], needs: {} };
  const known = [...may, ...Object.keys(needs), 'type'];
  const present = Object.keys(schema).filter((each) => !isNote(each));
  // Of a schema without a type, those are named that no type has.
  const extra = present.filter((each) => !known.includes(each) && (kind || !ANY_KEYWORD.has(each)));
  return [
    ...extra.map((each) =>
      fault(
        each === '$ref'
          ? 'has a $ref that is not in this document, refers to itself, or differs in a keyword from what stands beside it: write the schema here'
          : `has the keyword ${each}${kind ? `, which ${kind} does not have` : ''}: ${mendOf(each)}`,
        each,
      ),
    ),
    ...(kind || extra.some((each) => INSTEAD_OF_TYPE.includes(each)) ? [] : [fault(typeFault(schema))]),
    ...Object.entries(needs).flatMap(([each, mend]) =>
      each in schema ? [] : [fault(`needs the keyword ${each}: ${mend}`)],
    ),
    ...(kind ? ofKind(kind, schema).map((what) => fault(what)) : []),
    ...partsOf(schema).flatMap(({ name, keys, part }) => {
      const member = keys[0] === 'properties' ? String(keys[1]) : undefined;
      const ofName = member === undefined ? undefined : faultOfName(member, false);
      const inside = [...place, ...keys];
      return [
        ...(ofName ? [{ place: inside, path: path + name, what: ofName }] : []),
        ...faultsOf(Object(part), path + name, inside),
      ];
    }),
  ];
}

/** The keywords of all types. */
const ANY_KEYWORD = new Set(
  ['type', 'format'].concat(
    (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
      const { may, needs } = keywordsOf(kind);
      return [...may, ...Object.keys(needs)];
    }),
  ),
);
const INSTEAD_OF_TYPE = ['$ref', 'allOf', 'anyOf', 'oneOf'];

function typeFault({ type, format, enum: values }: Schema): string {
  if (Array.isArray(type))
    return `has the type ${JSON.stringify(type)}: write one type, such as string for a text that holds JSON; only a property may also be null, and is then optional`;
  const given = `has ${type === undefined ? 'no type' : `the type ${type}`}${format ? ` with format: ${format}` : ''}`;
  if (type === 'string')
    return `${given}: write one of ${FORMATS.join(', ')}, or a pattern with maxLength in place of the format`;
  if (type === 'integer')
    return values ? 'has an enum with int32: write format: int64' : `${given}: write int64 or int32`;
  if (type === 'number') return `${given}: write double, or leave the format out`;
  return `${given}: write string, integer, number, boolean, array or object`;
}

/** What the keywords of a type must be. */
function ofKind(kind: Kind, schema: Schema): string[] {
  const { enum: values = [], examples = [], minimum = 0, maximum = 0, multipleOf = 1 } = schema;
  switch (kind) {
    case 'choice':
      return values.every((each) => typeof each === 'string')
        ? []
        : ['has an enum with other values than texts: write texts'];
    case 'integer-choice':
      return values.every((each) => Number.isSafeInteger(each))
        ? []
        : [
            `has an enum with other values than integers up to ±${Number.MAX_SAFE_INTEGER}: write such integers`,
          ];
    case 'pattern':
      return [
        ...(isRegExp(schema.pattern) ? [] : ['has a pattern that is no regular expression: correct it']),
        ...(examples.length > 0
          ? []
          : ['needs an example beside its pattern, for the message: write examples: [one]']),
      ];
    case 'integer':
    case 'int32': {
      const most = kind === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
      const isLimit = (limit: number) => Number.isInteger(limit) && limit >= -most - 1 && limit <= most;
      if (isLimit(minimum) && isLimit(maximum)) return [];
      return [
        kind === 'int32'
          ? 'has a limit that no int32 has: leave it out'
          : 'has a limit that a double changes: leave it out; every int64 is within the limits of its type',
      ];
    }
    case 'decimal': {
      const places = Math.round(-Math.log10(multipleOf));
      if (Number(`1e-${places}`) !== multipleOf || places < 0 || places > MOST_PLACES)
        return [
          'has a multipleOf that is no power of ten from 0.000001 to 1: write one, such as 0.01, or leave it out for a double',
        ];
      return Math.max(-minimum, maximum) < 10 ** (DIGITS - places)
        ? []
        : [
            `may have more than the ${DIGITS} digits of which a double loses none: write closer limits, or leave multipleOf out for a double`,
          ];
    }
    case 'map': {
      const { propertyNames } = schema;
      return propertyNames && JSON.stringify(propertyNames) !== JSON.stringify({ pattern: MAP_NAME })
        ? [`has other propertyNames than a map can have: write { pattern: '${MAP_NAME}' }`]
        : [];
    }
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const unknown = required.filter((name) => !Object.hasOwn(properties, name));
      const own = new Map(Object.entries(properties));
      const isLikeClass = Object.hasOwn(own.get('constructor')?.properties ?? {}, 'name');
      return [
        ...unknown.map(
          (name) =>
            `requires ${name}, which is none of its properties: write it, or leave it out of required`,
        ),
        ...(isLikeClass
          ? ['has a constructor with a name, which the SDK would take for that of a class: rename one']
          : []),
      ];
    }
    default:
      return [];
  }
}

/** Whether a pattern is a regular expression. */
export function isRegExp(pattern = ''): boolean {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}

/** The parts of a schema: how a path names each, and its keys. Of variants, those are judged that are whole schemas. */
function partsOf({ items, additionalProperties, properties = {}, ...rest }: Schema) {
  const more = new Map<string, unknown>(Object.entries(rest));
  const listed = VARIANTS.flatMap((key) => {
    const variants = more.get(key);
    const parts: unknown[] = Array.isArray(variants) ? variants : [];
    return parts.map((part, n) => ({ name: '', keys: [key, String(n)], part: Object(part) }));
  });
  const patterns = Object.entries<Schema>(Object(more.get('patternProperties')));
  return [
    ...listed.filter(({ part }) => kindOf(part)),
    ...(items ? [{ name: '[]', keys: ['items'], part: items }] : []),
    ...(typeof additionalProperties === 'object'
      ? [{ name: '.*', keys: ['additionalProperties'], part: additionalProperties }]
      : []),
    ...patterns.map(([name, part]) => ({ name: '.*', keys: ['patternProperties', name], part })),
    ...Object.entries(properties).map(([name, part]) => ({
      name: `.${name}`,
      keys: ['properties', name],
      part,
    })),
  ];
}
