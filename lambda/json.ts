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
 * JSON.stringify cannot write an int64.
 */
export function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof NumberLiteral) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonOf)}]`;
  const members: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${jsonOf(each)}`)}}`;
}
