import { EXAMPLES, LEAST, OTHER, type Plant, WHOLE } from './examples.ts';

/** The properties of a plant, as they stand in a JSON object. */
const PLANTS = { plant: LEAST, whole: WHOLE, other: OTHER };

/**
 * Makes the body of a case from its text. cases.yaml explains the placeholders.
 * @param bytes how many the body must have
 * @throws Error if it has another number of bytes, or a placeholder is unknown
 */
export function expand(text: string, bytes?: number): Buffer {
  const written = text
    .replaceAll(/⟨(plant|whole|other)⟩/g, (_, name: keyof typeof PLANTS) => inner(PLANTS[name]))
    .replace('⟨,rest⟩', inner(restOf(text)).replace(/^(?=.)/, ','))
    .replaceAll(/⟨([^⟩]+?)×(\d+)⟩/gu, (_, part: string, times: string) => part.repeat(Number(times)));
  const filled = written.replace(/⟨(.)×fill⟩/u, (_, part) => part.repeat(fillOf(written, bytes)));
  const [unknown] = /⟨(?!hex )[^⟩]*⟩/.exec(filled) ?? [];
  if (unknown) throw new Error(`there is no placeholder ${unknown}.`);
  const body = bytesOf(filled);
  if (bytes === undefined || bytes === body.length) return body;
  throw new Error(`bytes is ${bytes}, but the body has ${body.length}.`);
}

/** The plant that a body has. @param changes the values of its properties that the body writes out */
export function plantIn(text: string, changes: Plant = {}): Plant {
  const [, name] = /⟨(plant|whole|other)⟩/.exec(text) ?? [];
  const plant: Plant = { ...PLANTS[(name ?? 'plant') as keyof typeof PLANTS], ...changes };
  // In the order of openapi.yaml, which a response has.
  const properties = Object.keys(EXAMPLES).filter((property) => property in plant);
  return Object.fromEntries(
    properties.map((property) => {
      const value = plant[property];
      return [property, typeof value === 'string' ? String(expand(value)) : value];
    }),
  );
}

function restOf(text: string): Plant {
  return Object.fromEntries(Object.entries(LEAST).filter(([name]) => !text.includes(`"${name}"`)));
}

function inner(plant: Plant): string {
  return JSON.stringify(plant).slice(1, -1);
}

function fillOf(text: string, bytes = 0): number {
  const [fill = '', part = ''] = /⟨(.)×fill⟩/u.exec(text) ?? [];
  const count = (bytes - bytesOf(text.replace(fill, '')).length) / Buffer.byteLength(part);
  return Math.max(0, Math.floor(count));
}

function bytesOf(text: string): Buffer {
  // Between two brackets, odd parts are bytes in hex.
  const parts = text.split(/⟨hex ([\da-f ]+)⟩/);
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 0 ? Buffer.from(part) : Buffer.from(part.replaceAll(' ', ''), 'hex'),
    ),
  );
}
