/** Keys and values of JSON, and of YAML, whose comments and layout stay. */
import { isDeepStrictEqual } from 'node:util';
import { isMap, isSeq, LineCounter, type ParsedNode, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { placeOf } from './lists.ts';
import type { Json, JsonObject } from './manifest.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: Json | undefined) => isDeepStrictEqual(value, []) || isDeepStrictEqual(value, {});
const parse = (text: string): JsonObject => JSON.parse(text);
const format = (value: JsonObject) => `${JSON.stringify(value, undefined, 2)}\n`;

/**
 * Removes keys and values from a text of JSON, and what is empty then. A list of names stands for the keys of an object with whatever
 * value: versions change.
 * @returns undefined if one is not there
 */
export function withoutJson(text: string, removed: JsonObject): string | undefined {
  const kept = without(parse(text), removed);
  return kept && format(kept);
}

function without(object: JsonObject, removed: JsonObject): JsonObject | undefined {
  const kept = { ...object };
  for (const [key, value] of Object.entries(removed)) {
    const there = kept[key];
    const rest = remaining(there, value);
    if (rest === 'missing') return undefined;
    if (rest === undefined || isEmpty(rest)) delete kept[key];
    else kept[key] = rest;
  }
  return kept;
}

function remaining(there: Json | undefined, value: Json): Json | undefined | 'missing' {
  if (Array.isArray(value) && isObject(there))
    return value.every((name) => String(name) in there)
      ? Object.fromEntries(Object.entries(there).filter(([name]) => !value.includes(name)))
      : 'missing';
  if (Array.isArray(value) && Array.isArray(there))
    return value.every((each) => there.some((other) => isDeepStrictEqual(each, other)))
      ? there.filter((other) => !value.some((each) => isDeepStrictEqual(each, other)))
      : 'missing';
  if (isObject(value) && isObject(there) && !isEmpty(value)) return without(there, value) ?? 'missing';
  return isDeepStrictEqual(there, value) ? undefined : 'missing';
}

/**
 * Adds keys and values to a text of JSON, in the order of a reference, which has the values of listed names.
 * @returns undefined if another value is there, or the reference lacks one
 */
export function withJson(text: string, added: JsonObject, reference: string): string | undefined {
  const result = merge(parse(text), added, parse(reference));
  return result && format(result);
}

function merge(object: JsonObject, added: JsonObject, reference: JsonObject): JsonObject | undefined {
  let result = object;
  for (const [key, value] of Object.entries(added)) {
    const inReference = reference[key];
    const present = result[key];
    const isNames = Array.isArray(value) && isObject(inReference);
    // A version that is there stays.
    const missing = isNames && isObject(present) ? value.filter((name) => !(String(name) in present)) : value;
    const named = isNames && Array.isArray(missing) ? pick(inReference, missing) : value;
    const next = named && merged(present, named, inReference);
    if (next === undefined) return undefined;
    if (key in result) result = { ...result, [key]: next };
    else {
      const entries = Object.entries(result);
      entries.splice(placeOf(Object.keys(result), key, Object.keys(reference)), 0, [key, next]);
      result = Object.fromEntries(entries);
    }
  }
  return result;
}

function pick(object: JsonObject, names: readonly Json[]): JsonObject | undefined {
  const entries = names.map((name): [string, Json | undefined] => [String(name), object[String(name)]]);
  return entries.every((entry): entry is [string, Json] => entry[1] !== undefined)
    ? Object.fromEntries(entries)
    : undefined;
}

function merged(there: Json | undefined, value: Json, reference: Json | undefined): Json | undefined {
  if (isObject(value) && (there === undefined || isObject(there)))
    return merge(there ?? {}, value, isObject(reference) ? reference : {});
  if (Array.isArray(value) && (there === undefined || Array.isArray(there))) {
    const list = [...(there ?? [])].map((each) => JSON.stringify(each));
    const order = Array.isArray(reference) ? reference.map((each) => JSON.stringify(each)) : [];
    for (const item of value.map((each) => JSON.stringify(each)))
      if (!list.includes(item)) list.splice(placeOf(list, item, order), 0, item);
    return list.map((each) => JSON.parse(each));
  }
  return there === undefined || isDeepStrictEqual(there, value) ? value : undefined;
}

/**
 * Adds what a fragment of YAML has and the text lacks, in the order of a reference: keys of maps, items of lists. The rest of the text stays
 * as it is, and so does a property of the model that has the type of the fragment's.
 * @returns the number of the line at which another value is, or undefined if the text or the fragment is no map
 */
export function withYaml(text: string, fragment: string, reference: string): string | number | undefined {
  const added = parseDocument(fragment).contents;
  const order = parseDocument(reference).contents;
  if (!isMap(added)) return undefined;
  let result = text;
  // One at a time, because each moves what stands behind it.
  for (;;) {
    const lineCounter = new LineCounter();
    const there: unknown = parseDocument(result, { lineCounter }).contents;
    if (!isMap(there)) return undefined;
    const change = firstChange(
      there as YAMLMap.Parsed,
      added as YAMLMap.Parsed,
      isMap(order) ? order : undefined,
      fragment,
    );
    if (typeof change === 'number') return lineCounter.linePos(change).line;
    if (change === undefined) return result;
    result = spliced(result, change);
  }
}

interface Change {
  /** The node before which the new text stands, or the list or map at whose end. */
  readonly before?: ParsedNode;
  readonly endOf: YAMLMap.Parsed | YAMLSeq.Parsed;
  readonly text: string;
}

const isSame = (a: ParsedNode | null | undefined, b: ParsedNode | null | undefined) =>
  isDeepStrictEqual(a?.toJSON(), b?.toJSON());

/** The type of a property, in words. */
const typeOf = (schema: ParsedNode | null) => {
  const { type, format = '' } = Object(schema?.toJSON());
  return `${type} ${format}`;
};

/** The properties of the model, of which a copy may have its own. */
const MODEL = /^components\/schemas\/New[^/]+\/properties\/[^/]+$/;

/** @returns the offset of another value than the fragment's, if there is one */
function firstChange(
  there: YAMLMap.Parsed,
  added: YAMLMap.Parsed,
  order: YAMLMap | undefined,
  fragment: string,
  path = '',
): Change | number | undefined {
  for (const [n, pair] of added.items.entries()) {
    const name = String(pair.key);
    const own = there.items.find((each) => String(each.key) === name);
    if (!own && there.flow) return there.range[0];
    if (!own) {
      const names = there.items.map((each) => String(each.key));
      const place = placeOf(names, name, order?.items.map((each) => String(each.key)) ?? []);
      return {
        before: there.items[place]?.key,
        endOf: there,
        text: sourceOf(fragment, pair.key, added.items[n + 1]?.key, added),
      };
    }
    const below = order?.get(name);
    const place = path + name;
    const other = own.key.range[0];
    let change: Change | number | undefined;
    if (MODEL.test(place)) change = typeOf(own.value) === typeOf(pair.value) ? undefined : other;
    else if (isMap(own.value) && isMap(pair.value))
      change = firstChange(own.value, pair.value, isMap(below) ? below : undefined, fragment, `${place}/`);
    else if (isSeq(own.value) && isSeq(pair.value)) change = firstItem(own.value, pair.value, fragment);
    else if (!isSame(own.value, pair.value)) change = other;
    if (change !== undefined) return change;
  }
  return undefined;
}

function firstItem(
  there: YAMLSeq.Parsed,
  added: YAMLSeq.Parsed,
  fragment: string,
): Change | number | undefined {
  const n = added.items.findIndex((item) => !there.items.some((each) => isSame(each, item)));
  const item = added.items[n];
  if (item && there.flow) return there.range[0];
  return item && { endOf: there, text: sourceOf(fragment, item, added.items[n + 1], added) };
}

/** Where the line of an offset begins, or that of the comment before it. */
function startOf(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const previous = text.lastIndexOf('\n', start - 2) + 1;
  return start > 0 && /^ *#/.test(text.slice(previous, start)) ? startOf(text, previous) : start;
}

/** The lines of a node in its text, without their indentation. */
function sourceOf(text: string, node: ParsedNode, next: ParsedNode | undefined, list: ParsedNode): string {
  const end = next ? startOf(text, next.range[0]) : list.range[1];
  const lines = text.slice(startOf(text, node.range[0]), end).trimEnd().split('\n');
  const indent = lines[0]?.search(/\S/) ?? 0;
  return lines.map((line) => line.slice(indent)).join('\n');
}

function spliced(text: string, { before, endOf, text: added }: Change): string {
  const start = text.lastIndexOf('\n', endOf.range[0] - 1) + 1;
  const indent = ' '.repeat(endOf.range[0] - start);
  const lines = added.split('\n').map((line) => (line ? indent + line : line));
  const kept = text.slice(0, before ? startOf(text, before.range[0]) : endOf.range[1]);
  const rest = text.slice(kept.length);
  return `${before ? kept : `${kept.trimEnd()}\n`}${lines.join('\n')}\n${rest}`;
}
