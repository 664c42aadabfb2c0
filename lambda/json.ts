/** A number of JSON as it was written: a double would change an int64. */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of JSON (RFC 8259 §3). */
export type Json = null | boolean | string | NumberLiteral | readonly Json[] | ReadonlyMap<string, Json>;

/**
 * Writes the JSON text of a value: of one that was parsed, of a plant, or of both mixed. Of one value, it is always the same.
 * JSON.stringify cannot write an int64. Like it, this leaves out members that are undefined; what it would lose, this refuses.
 * @throws TypeError if JSON has no such value, such as NaN, a function, or undefined in a list
 */
export function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return scalarOf(value);
  if (value instanceof NumberLiteral) return value.text;
  // Not `map`, which leaves out the holes of an array.
  if (Array.isArray(value)) return `[${Array.from(value, jsonOf)}]`;
  const members: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  const present = members.filter(([, each]) => each !== undefined);
  return `{${present.map(([name, each]) => `${JSON.stringify(name)}:${jsonOf(each)}`)}}`;
}

function scalarOf(value: unknown): string {
  if (typeof value === 'number') return doubleOf(value);
  const text = JSON.stringify(value);
  if (text !== undefined) return text;
  throw new TypeError(`JSON has no ${typeof value}.`);
}

/** From 2^53 on it has an exponent, so that no reader takes it for an integer that has lost digits. */
function doubleOf(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}.`);
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? value.toExponential() : JSON.stringify(value);
}
