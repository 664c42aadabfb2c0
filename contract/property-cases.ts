import { LEAST, PROPERTIES, REQUIRED } from './examples.ts';
import { IS_NUMBER } from './key.ts';
import type { Schema } from './openapi.ts';

/** The first of the ids of these cases; those of cases/ are below. */
const FIRST_ID = 30_000;

/** A longer text or list is not tried. */
const LONGEST = 10_000;

/** A value of each type of JSON. */
const OF_TYPES = { string: 'x', integer: 7, boolean: true, array: ['x'], object: { x: 1 }, null: null };

/** A value of a property, or of a part of it. */
interface Tried {
  /** The property, or the path of the part. */
  readonly path: string;
  readonly what: string;
  /** The value of the whole property; undefined: none. */
  readonly value: unknown;
  readonly isRefused: boolean;
}

/**
 * Makes the cases of each property, as in cases/, of its type in openapi.yaml: none, a value of each other type, each limit and one past it.
 * @param properties in place of those of a plant
 */
export function propertyCases(properties = PROPERTIES) {
  const tried = Object.entries(properties).flatMap(([name, schema]) => {
    const none = REQUIRED.includes(name) ? [missing(name)] : [];
    const values = valuesOf(schema, name, schema.examples[0]);
    return [...none, ...values.filter(({ isRefused }) => name !== 'id' || isRefused)].map((each) => ({
      ...each,
      name,
    }));
  });
  const cases = tried.map(({ name, path, what, value, isRefused }, n) => {
    const id = name === 'id' ? [] : [`"id":⟨id ${FIRST_ID + n}⟩`];
    const others = JSON.stringify({ ...LEAST, [name]: value }).slice(1, -1);
    return {
      name: `${path}: ${what} is ${isRefused ? 'refused' : 'kept'}`,
      body: `{${[...id, others].filter(Boolean)}}`,
      // A service that accepts it may take it for somebody's id.
      ...(name === 'id' && typeof value === (IS_NUMBER ? 'number' : 'string') && { anyId: true }),
      ...(isRefused ? { error: 40002, names: path } : { plant: { [name]: value } }),
    };
  });
  return { group: 'each property', cases };
}

function valuesOf(schema: Schema, path: string, example: unknown): Tried[] {
  const type = schema.type === 'number' ? 'integer' : schema.type;
  const ofOthers = Object.entries(OF_TYPES).filter(([other]) => other !== type);
  return [
    ...ofOthers.map(([what, value]) => refused(path, `a value of type ${what}`, value)),
    ...(schema.examples ?? []).slice(1).map((value, n) => kept(path, `example ${n + 2}`, value)),
    ...(type === 'string' ? textsOf(schema, path, String(example)) : []),
    ...(type === 'integer' ? numbersOf(schema, path) : []),
    ...(type === 'boolean' ? [kept(path, 'true', true), kept(path, 'false', false)] : []),
    ...(Array.isArray(example) ? listsOf(schema, path, example) : []),
    ...(type === 'object' ? objectsOf(schema, path, Object(example)) : []),
  ];
}

function textsOf(
  { enum: values, format, pattern, minLength = 0, maxLength }: Schema,
  path: string,
  example: string,
): Tried[] {
  if (values)
    return [
      ...values.map((value) => kept(path, `"${value}"`, value)),
      refused(path, 'another text', `${example} x`),
    ];
  const isFree = format === undefined && pattern === undefined;
  const lengths =
    maxLength !== undefined && maxLength <= LONGEST
      ? [refused(path, 'a text that is too long', 'x'.repeat(maxLength + 1))]
      : [];
  if (isFree && minLength > 0)
    lengths.push(
      kept(path, 'the shortest text', 'x'.repeat(minLength)),
      refused(path, 'a text that is too short', 'x'.repeat(minLength - 1)),
    );
  if (isFree && lengths.length > 0 && maxLength !== undefined)
    lengths.push(kept(path, 'the longest text', 'x'.repeat(maxLength)));
  const noDay = format?.startsWith('date') ? [example.replace(/\d\d(?=T|$)/, '32')] : [];
  const others = [`${example} `, '', 'x', ...noDay];
  const fits = (text: string) =>
    text === example || (pattern !== undefined && new RegExp(pattern, 'u').test(text));
  const wrong = isFree ? [] : others.filter((each) => !fits(each));
  return [...lengths, ...wrong.map((value) => refused(path, `the text "${value}"`, value))];
}

function numbersOf({ type, enum: values, minimum, maximum, multipleOf }: Schema, path: string): Tried[] {
  if (values)
    return [
      ...values.map((value) => kept(path, `the value ${value}`, value)),
      refused(path, 'another integer', Math.max(...values.map(Number)) - 1e9),
    ];
  const isDouble = type === 'number' && multipleOf === undefined;
  // Without the noise of doubles.
  const plus = (value: number, steps: number) =>
    isDouble
      ? value + steps * Math.max(1, Math.abs(value))
      : Number((value + steps * (multipleOf ?? 1)).toFixed(7));
  return [
    ...(isDouble
      ? [refused(path, 'a number that is too large', 1e126), refused(path, 'one that is too small', 1e-131)]
      : [refused(path, 'a number with one more decimal place', plus(minimum ?? 0, 0.1))]),
    ...(minimum === undefined
      ? []
      : [kept(path, 'the least', minimum), refused(path, 'less than the least', plus(minimum, -1))]),
    ...(maximum === undefined
      ? []
      : [kept(path, 'the most', maximum), refused(path, 'more than the most', plus(maximum, 1))]),
  ];
}

function listsOf(
  { items, minItems = 0, maxItems = LONGEST, uniqueItems }: Schema,
  path: string,
  example: readonly unknown[],
): Tried[] {
  const of = (length: number) => Array.from({ length }, () => example[0]);
  const short =
    minItems === 0
      ? kept(path, 'an empty list', [])
      : refused(path, 'a list that is too short', of(minItems - 1));
  if (example.length === 0 || !items) return [short];
  const long = maxItems < LONGEST ? [refused(path, 'a list that is too long', of(maxItems + 1))] : [];
  const full = uniqueItems
    ? refused(path, 'a list with an item twice', of(2))
    : kept(path, 'a full list', of(Math.min(maxItems, 100)));
  const ofItem = valuesOf(items, `${path}[0]`, example[0]);
  return [
    short,
    ...long,
    full,
    ...ofItem.map((each) => {
      const isOther = (item: unknown) => JSON.stringify(item) !== JSON.stringify(each.value);
      return { ...each, value: [each.value, ...example.slice(1).filter(isOther)] };
    }),
  ];
}

function objectsOf(
  { properties = {}, required = [], additionalProperties, maxProperties = LONGEST }: Schema,
  path: string,
  example: Record<string, unknown>,
): Tried[] {
  const within = (name: string, part: Tried): Tried => ({
    ...part,
    value: { ...example, [name]: part.value },
  });
  if (additionalProperties) {
    const [[name, value] = ['x', undefined]] = Object.entries(example);
    const entries = Array.from({ length: maxProperties + 1 }, (_, n) => [`x${n}`, value]);
    return [
      kept(path, 'a map without entries', {}),
      refused(path, 'an empty name', { '': value }),
      ...(maxProperties < LONGEST ? [refused(path, 'too many entries', Object.fromEntries(entries))] : []),
      ...valuesOf(additionalProperties, `${path}.*`, value).map((each) => within(name, each)),
    ];
  }
  return Object.entries(properties).flatMap(([name, schema]) => {
    const none = required.includes(name) ? [missing(`${path}.${name}`)] : [];
    const values = Object.hasOwn(example, name) ? valuesOf(schema, `${path}.${name}`, example[name]) : [];
    return [...none, ...values].map((each) => within(name, each));
  });
}

function kept(path: string, what: string, value: unknown): Tried {
  return { path, what, value, isRefused: false };
}

function refused(path: string, what: string, value: unknown): Tried {
  return { path, what, value, isRefused: true };
}

function missing(path: string): Tried {
  return refused(path, 'none', undefined);
}
