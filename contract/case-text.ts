import { EXAMPLES, LEAST, OPTIONAL_TEXT, OTHER, type Plant, TEXT, WHOLE } from './examples.ts';
import { idOf } from './key.ts';

/** A name that is meant to be that of no property. */
const UNKNOWN = /⟨unknown (\w+)⟩/g;

/** The properties of a plant, as they stand in a JSON object. */
const PLANTS = { plant: LEAST, whole: WHOLE, other: OTHER };

/** An id, at most so long that the ids of `npm run verify` have a place for it. */
const ID = /⟨id (\d{1,6})⟩/g;

/** Bytes in hex, or a text and how often it is repeated. */
const BYTES = /⟨(?:hex ([\da-f ]+)|([^⟩]+?)×(\d+))⟩/gu;

/** An ASCII character, and how many bytes a body has with as many of these as that takes. */
const FILL = /⟨(.)×fill to (\d+)⟩/;

/**
 * Makes a body or another part of a case from its text. cases/create-plant.yaml explains the placeholders.
 * @param ids what is added to each id that is a placeholder
 * @param write writes an id
 * @throws Error if a placeholder is unknown
 */
export function expand(text: string, ids = 0n, write = idOf): Buffer {
  const named = withNames(text);
  const written = named
    .replaceAll(ID, (_, id: string) => write(ids + BigInt(id)))
    .replaceAll(/⟨(plant|whole|other)⟩/g, (_, name: keyof typeof PLANTS) => inner(PLANTS[name]))
    .replace('⟨,rest⟩', inner(restOf(named)).replace(/^(?=.)/, ','));
  const filled = written.replace(
    FILL,
    (fill, part: string, bytes: string) =>
      `⟨${part}×${Number(bytes) - bytesOf(written.replace(fill, '')).length}⟩`,
  );
  return bytesOf(filled);
}

/** The plant that a body has. @param changes the values of its properties that the body writes out */
export function plantIn(text: string, changes: Plant = {}): Plant {
  const [, name] = /⟨(plant|whole|other)⟩/.exec(text) ?? [];
  const changed = Object.entries(changes).map(([property, value]) => [
    withNames(property),
    typeof value === 'string' ? String(expand(value)) : value,
  ]);
  const plant: Plant = {
    ...PLANTS[(name ?? 'plant') as keyof typeof PLANTS],
    ...Object.fromEntries(changed),
  };
  // In the order of openapi.yaml, which a response has.
  return Object.fromEntries(
    Object.keys(EXAMPLES).flatMap((property) =>
      Object.hasOwn(plant, property) ? [[property, plant[property]]] : [],
    ),
  );
}

/** A text with the names of properties in place of their placeholders. */
export function withNames(text: string): string {
  return text
    .replaceAll('⟨text⟩', TEXT ?? '⟨text⟩')
    .replaceAll('⟨TEXT⟩', TEXT?.toUpperCase() ?? '⟨TEXT⟩')
    .replaceAll('⟨optional⟩', OPTIONAL_TEXT ?? '⟨optional⟩')
    .replaceAll(UNKNOWN, '$1');
}

/** The names in a text that are meant to be those of no property. */
export function unknownIn(text: string): string[] {
  return [...text.matchAll(UNKNOWN)].map(([, name = '']) => name);
}

/** The ids in a text that are placeholders. @param ids as in {@link expand} */
export function idsIn(text: string, ids = 0n): string[] {
  return [...new Set([...text.matchAll(ID)].map(([, id = '']) => idOf(ids + BigInt(id))))];
}

function restOf(text: string): Plant {
  return Object.fromEntries(Object.entries(LEAST).filter(([name]) => !text.includes(JSON.stringify(name))));
}

function inner(plant: Plant): string {
  return JSON.stringify(plant).slice(1, -1);
}

function bytesOf(text: string): Buffer {
  const parts: Buffer[] = [];
  let end = 0;
  for (const { 0: whole, 1: hex, 2: part = '', 3: times, index } of text.matchAll(BYTES)) {
    // Megabytes are never one string, in which each search would take milliseconds.
    const bytes = hex
      ? Buffer.from(hex.replaceAll(' ', ''), 'hex')
      : Buffer.alloc(Buffer.byteLength(part) * Number(times), part);
    parts.push(asWritten(text.slice(end, index)), bytes);
    end = index + whole.length;
  }
  return Buffer.concat([...parts, asWritten(text.slice(end))]);
}

function asWritten(text: string): Buffer {
  const [unknown] = /⟨[^⟩]*⟩/.exec(text) ?? [];
  if (unknown) throw new Error(`there is no placeholder ${unknown}.`);
  return Buffer.from(text);
}
