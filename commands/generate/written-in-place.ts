import { isDeepStrictEqual } from 'node:util';
import { isNote } from './property-kind.ts';

/** A schema as it may be written: what it has that is no keyword of ours is unknown. */
export type Written = Readonly<Record<string, unknown>>;

/** What lists variants of a schema. */
export const VARIANTS: readonly string[] = ['allOf', 'anyOf', 'oneOf'];

/** Resolves a pointer such as `#/components/schemas/Address`, unless the schema refers to itself, also by others. */
export type Pointers = (pointer: string) => Written | undefined;

/**
 * Writes a schema that is referred to, the parts of `allOf`, and the only variant of `anyOf` or `oneOf`, in their place. What stays is refused.
 */
export function writtenInPlace(
  { $ref: pointer, ...given }: Written,
  at: Pointers,
  say: (what: string) => void,
): Written {
  const { own, parts } = partsOf(given);
  let schema = own;
  if (typeof pointer === 'string') {
    const found = at(pointer);
    const joined = found && both(own, writtenInPlace(found, at, say));
    if (joined) say(`the schema ${pointer} is written in place of its $ref`);
    schema = joined ?? { $ref: pointer, ...own };
  }
  let whole: Written | undefined = schema;
  for (const each of parts) whole = whole && both(whole, writtenInPlace(Object(each), at, say));
  if (whole === undefined) return { ...given, ...schema };
  if (parts.length > 1) say('the parts of its allOf are written into one');
  else if (parts.some((each) => Object(each).$ref === undefined))
    say('the only part of its allOf, anyOf or oneOf is written in its place');
  return whole;
}

/** What a schema has beside the parts that all hold. */
function partsOf({ allOf, anyOf, oneOf, ...own }: Written): { own: Written; parts: readonly unknown[] } {
  const lists = Object.entries({ allOf, anyOf, oneOf });
  const hold = lists.filter(
    ([name, list]) => Array.isArray(list) && list.length > 0 && (name === 'allOf' || list.length === 1),
  );
  const others = lists.filter((each) => each[1] !== undefined && !hold.some(([name]) => name === each[0]));
  return { own: { ...own, ...Object.fromEntries(others) }, parts: hold.flatMap((each) => each[1]) };
}

/** One schema that accepts what two accept; undefined: what they say of the same keyword needs a decision. */
export function both(one: Written, other: Written): Written | undefined {
  const all: Record<string, unknown> = { ...other, ...one };
  for (const [key, value] of Object.entries(other)) {
    const own = one[key];
    if (own === undefined || key === 'example' || isNote(key) || isDeepStrictEqual(own, value)) continue;
    if (key === 'required') all[key] = [...new Set([...Object(own), ...Object(value)])];
    else if (key === 'properties') all[key] = named(Object(own), Object(value));
    else if (key === 'items') all[key] = { allOf: [own, value] };
    else if (key.startsWith('max') && isNumber(own) && isNumber(value)) all[key] = Math.min(own, value);
    else if (key.startsWith('min') && isNumber(own) && isNumber(value)) all[key] = Math.max(own, value);
    else return undefined;
  }
  return all;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

function named(one: Written, other: Written): Written {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const of = (name: string) =>
    [one, other].flatMap((each) => (Object.hasOwn(each, name) ? [each[name]] : []));
  return Object.fromEntries(
    [...names].map((name) => [name, of(name).length === 1 ? of(name)[0] : { allOf: of(name) }]),
  );
}
