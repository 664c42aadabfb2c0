import { Failure } from '../answer/errors.ts';
import { MAX_JSON_DEPTH } from '../limits.ts';

/** A JSON number as it was written; what it is worth is decided where it is used, so no digit is lost. */
export class NumberLiteral {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

/** A JSON value: an object is a Map, so that no property of it can be mistaken for something inherited. */
export type Json = null | boolean | string | NumberLiteral | Json[] | ReadonlyMap<string, Json>;

// Sticky, and without anything to backtrack into: no input makes them slow.
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** One for all: a body of 1 MiB can hold 350,000 of them, and a Map each would be its most costly kind. */
const EMPTY_OBJECT: ReadonlyMap<string, Json> = new Map();

/**
 * Parses one JSON text (RFC 8259). Stricter than `JSON.parse` in two ways, both of which RFC 8259 leaves open: a
 * property given twice must have the same value (numbers: the same literal) both times, and arrays and objects nest at
 * most {@link MAX_JSON_DEPTH} deep.
 * @throws Failure 40001 when the text is anything else
 */
export function parseJson(text: string): Json {
  return new Parser(text).whole();
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the one value that the text is. */
  whole(): Json {
    const value = this.#value(0);
    if (this.#at !== this.#text.length) throw invalid();
    return value;
  }

  #value(depth: number): Json {
    this.#skipWhiteSpace();
    const value = this.#bareValue(depth);
    this.#skipWhiteSpace();
    return value;
  }

  #bareValue(depth: number): Json {
    switch (this.#text[this.#at]) {
      case '"':
        return this.#string();
      case '{':
        return this.#object(depth + 1);
      case '[':
        return this.#array(depth + 1);
      case 't':
      case 'f':
      case 'n':
        return JSON.parse(this.#match(WORD));
      default:
        return new NumberLiteral(this.#match(NUMBER));
    }
  }

  #object(depth: number): ReadonlyMap<string, Json> {
    let object: Map<string, Json> | undefined;
    this.#list('}', depth, () => {
      this.#skipWhiteSpace();
      if (this.#text[this.#at] !== '"') throw invalid();
      const key = this.#string();
      this.#skipWhiteSpace();
      this.#expect(':');
      const value = this.#value(depth);
      object ??= new Map();
      const earlier = object.get(key);
      if (earlier !== undefined && !isSame(earlier, value)) throw invalid();
      object.set(key, value);
    });
    return object ?? EMPTY_OBJECT;
  }

  #array(depth: number): Json[] {
    const array: Json[] = [];
    this.#list(']', depth, () => array.push(this.#value(depth)));
    return array;
  }

  /** Reads from the opening bracket to the closing one, calling `member` where each member stands. */
  #list(close: string, depth: number, member: () => void): void {
    if (depth > MAX_JSON_DEPTH) throw invalid();
    this.#at += 1;
    this.#skipWhiteSpace();
    if (this.#text[this.#at] !== close) {
      member();
      while (this.#text[this.#at] === ',') {
        this.#at += 1;
        member();
      }
    }
    this.#expect(close);
  }

  #string(): string {
    const start = this.#at;
    let isPlain = true;
    let code = this.#text.charCodeAt(++this.#at);
    while (code !== QUOTE) {
      // Written so that NaN, past the end of the text, is refused too.
      if (!(code >= SPACE)) throw invalid();
      if (code === BACKSLASH) {
        isPlain = false;
        this.#at += 1;
      }
      code = this.#text.charCodeAt(++this.#at);
    }
    this.#at += 1;
    return isPlain ? this.#text.slice(start + 1, this.#at - 1) : unescaped(this.#text.slice(start, this.#at));
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) throw invalid();
    this.#at += 1;
  }

  #match(pattern: RegExp): string {
    const start = this.#at;
    pattern.lastIndex = start;
    // `test` rather than `exec`, which would make an array of each match.
    if (!pattern.test(this.#text)) throw invalid();
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  #skipWhiteSpace(): void {
    while (isWhiteSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }
}

/** Space, tab, line feed and carriage return (RFC 8259 §2). */
function isWhiteSpace(code: number): boolean {
  return code <= SPACE && (code === SPACE || code === 0x09 || code === 0x0a || code === 0x0d);
}

/** @param literal a JSON string with its quotes, in which only the escapes may be wrong */
function unescaped(literal: string): string {
  try {
    return JSON.parse(literal);
  } catch {
    throw invalid();
  }
}

function invalid(): Failure {
  return new Failure('INVALID_JSON');
}

/** Whether two values are the same: numbers by their literals, objects whatever the order of their properties. */
function isSame(a: Json, b: Json): boolean {
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
