/** A JSON number as it was written; what it is worth is decided where it is used, so no digit is lost. */
export class NumberLiteral {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

/** A JSON value: an object is a Map, so that no property of it can be mistaken for something inherited. */
export type Json = null | boolean | string | NumberLiteral | Json[] | ReadonlyMap<string, Json>;

/** Whether two values are the same: numbers by their literals, objects whatever the order of their properties. */
export function isSame(a: Json, b: Json): boolean {
  if (a instanceof NumberLiteral) return b instanceof NumberLiteral && a.literal === b.literal;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((each, index) => isSame(each, b[index] as Json))
    );
  }
  if (a instanceof Map) {
    if (!(b instanceof Map) || a.size !== b.size) return false;
    return [...a].every(([key, each]) => b.has(key) && isSame(each, b.get(key) as Json));
  }
  return a === b;
}
