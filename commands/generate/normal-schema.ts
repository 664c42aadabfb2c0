import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../../contract/openapi.ts';
import { both, type Pointers, VARIANTS, type Written, writtenInPlace } from './written-in-place.ts';

/** What a schema is read as. */
export interface Normal {
  readonly schema: Schema;
  /** Whether `null` stood for a value that is absent. */
  readonly isNullable: boolean;
}

/** What is read as something else, for the documents: what a schema has, and what `npm run generate` makes of it. */
export const READ_AS = [
  [
    '`$ref` into the same document; `allOf`; `anyOf` or `oneOf` with one part; if the parts, and what stands beside them, differ in no keyword but limits',
    'as it is: the schema, or one with all that the parts have, is written in its place',
  ],
  [
    "`type: [T, 'null']`, `nullable: true`, `anyOf` or `oneOf` of T and `null`",
    'as it is: it becomes an optional T. In a request `null` is refused, in a file that is imported it is absent',
  ],
  ['`const`, or `enum` without `type`', 'as it is: it becomes an `enum` with its `type`'],
  ['`type: integer` without `format`', 'as it is: it becomes `format: int64`'],
  [
    '`additionalProperties: true` beside `properties`',
    'as it is: it is left out, because unknown properties are accepted, but not stored',
  ],
  ['`example`', 'as it is: it becomes the first of `examples`'],
  ['`title`, `deprecated`, `$comment`, `x-…`', 'as it is: a note'],
] as const;

/**
 * Reads a schema as one with the keywords of property-kind.ts, as far as that changes nothing of what it accepts but `null`.
 * @param said is told what was changed, and where: the keys of the schema
 */
export function normalSchema(
  written: Written,
  at: Pointers,
  said: (place: readonly string[], what: string) => void,
  place: readonly string[] = [],
): Normal {
  const say = (what: string) => said(place, what);
  let isNullable = false;
  let schema = writtenInPlace(written, at, say);
  const { anyOf, oneOf } = schema;
  for (const [name, variants] of Object.entries({ anyOf, oneOf })) {
    const others = Array.isArray(variants) ? variants.filter((each) => Object(each).type !== 'null') : [];
    if (others.length !== 1 || (variants as unknown[]).length !== 2) continue;
    const { [name]: _, ...beside } = schema;
    const joined = both(beside, Object(others[0]));
    if (!joined) continue;
    say(`null is absent: ${name} becomes an optional value of the other type`);
    const inner = normalSchema(joined, at, said, place);
    return { ...inner, isNullable: true };
  }
  schema = withType(schema, say);
  const { type, enum: values, nullable } = schema;
  if (Array.isArray(type) && type.filter((each) => each !== 'null').length === 1) {
    isNullable = type.includes('null');
    schema = { ...schema, type: type.find((each) => each !== 'null') };
  }
  if (nullable !== undefined) {
    const { nullable: _, ...beside } = schema;
    schema = beside;
    isNullable ||= nullable === true;
  }
  if (isNullable) {
    if (Array.isArray(values)) schema = { ...schema, enum: values.filter((each) => each !== null) };
    say('null is absent: it becomes optional');
  }
  if (schema.type === 'integer' && schema.format === undefined) {
    schema = { ...schema, format: 'int64' };
    say('it becomes an int64');
  }
  if (schema.additionalProperties === true && schema.properties) {
    const { additionalProperties: _, ...beside } = schema;
    schema = beside;
    say('additionalProperties: true is left out, because unknown properties are accepted, but not stored');
  }
  if ('example' in schema) {
    const { example, ...beside } = schema;
    const listed: readonly unknown[] = Array.isArray(schema.examples) ? schema.examples : [];
    const others = listed.filter((each) => !isDeepStrictEqual(each, example));
    schema = { ...beside, examples: [example, ...others] };
    say('its example becomes the first of its examples');
  }
  const [only, ...others] = Array.isArray(schema.enum) ? schema.enum : [];
  if (
    only !== undefined &&
    others.length === 0 &&
    place.length === 0 &&
    !(Array.isArray(schema.examples) && schema.examples.length > 1)
  ) {
    schema = { ...schema, examples: [only, only] };
    say('its only value is both examples');
  }
  return { schema: withParts(schema, at, said, place), isNullable };
}

/** With `enum` in place of `const`, and the type of its values. */
function withType(schema: Written, say: (what: string) => void): Written {
  const { const: only, ...beside } = schema;
  const values = 'const' in schema ? [only] : schema.enum;
  if (!Array.isArray(values)) return schema;
  const isNull = values.includes(null);
  const others = values.filter((each) => each !== null);
  const kind = others.every((each) => typeof each === 'string')
    ? 'string'
    : others.every(Number.isInteger)
      ? 'integer'
      : undefined;
  const type = schema.type ?? (kind && isNull ? [kind, 'null'] : kind);
  if (!('const' in schema) && schema.type !== undefined) return schema;
  if (type === undefined) return schema;
  say('it becomes an enum with its type');
  return { type, ...beside, enum: values };
}

/** With the parts as they are read. */
function withParts(
  schema: Written,
  at: Pointers,
  said: (place: readonly string[], what: string) => void,
  place: readonly string[],
): Schema {
  const parts: Record<string, unknown> = {};
  for (const key of ['items', 'additionalProperties']) {
    const part = schema[key];
    if (typeof part !== 'object' || part === null) continue;
    const normal = normalSchema(part as Written, at, said, [...place, key]);
    // No list has an item that is absent.
    parts[key] = normal.isNullable ? part : normal.schema;
  }
  // They are refused, with all that is wrong inside.
  for (const key of place.some((each) => VARIANTS.includes(each)) ? [] : VARIANTS)
    if (Array.isArray(schema[key]))
      parts[key] = schema[key].map(
        (each, n) => normalSchema(Object(each), at, said, [...place, key, String(n)]).schema,
      );
  const patterns = Object.entries(Object(schema.patternProperties)).map(([pattern, part]) => {
    const inside = [...place, 'patternProperties', pattern];
    return [pattern, normalSchema(Object(part), at, said, inside).schema];
  });
  if (patterns.length > 0) parts.patternProperties = Object.fromEntries(patterns);
  const { properties, required } = schema;
  if (typeof properties === 'object' && properties !== null) {
    const all = Object.entries(properties).map(([name, part]) => {
      return [name, normalSchema(Object(part), at, said, [...place, 'properties', name])] as const;
    });
    parts.properties = Object.fromEntries(all.map(([name, { schema: each }]) => [name, each]));
    const absent = all.flatMap(([name, { isNullable }]) => (isNullable ? name : []));
    if (Array.isArray(required)) parts.required = required.filter((name) => !absent.includes(name));
  }
  const { required: names, ...rest } = { ...schema, ...parts };
  const all: unknown = Array.isArray(names) && names.length === 0 ? rest : { ...schema, ...parts };
  return all as Schema;
}
