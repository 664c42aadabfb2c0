import { MAX_JSON_DEPTH } from '../limits.ts';
import { invalidJson, notJson } from './broken-json.ts';

// Sticky, and each text can match in only one way: no input makes them slow.
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The properties of a JSON object by name; each value is the JSON text that was sent for it. */
export type Properties = ReadonlyMap<string, string>;

/** An object whose closing bracket has not been read yet. */
interface OpenObject {
  /** The properties that have been read. */
  properties?: Map<string, string>;
  /** The name of the property that is being read, and where its value starts. */
  name: string;
  start: number;
}

/**
 * Checks that a text is one JSON text (RFC 8259) and returns the properties of its object. Values are not built: an
 * id keeps every digit, and unknown properties cost no memory. Nested values need no call stack.
 * Stricter than the RFC in two points that it leaves open: the two values of a property given twice must be equal strings or
 * be written identically, and arrays and objects nest at most {@link MAX_JSON_DEPTH} deep.
 * @example parseJson('{"id": 1e3, "list": ["x"]}') // Map { 'id' => '1e3', 'list' => '["x"]' }
 * @returns undefined when the JSON value is not an object
 * @throws Failure 40001 when the text is not JSON; the message says where
 */
export function parseJson(text: string): Properties | undefined {
  let at = 0;
  let root: OpenObject | undefined;
  /** The open objects and arrays, outermost first; undefined is an array. */
  const open: (OpenObject | undefined)[] = [];

  function skipSpace(): void {
    while (isWhiteSpace(text.charCodeAt(at))) at += 1;
  }

  function skip(pattern: RegExp): void {
    pattern.lastIndex = at;
    // Not `exec`, which would create an array for each match.
    if (!pattern.test(text)) throw notJson(text, at);
    at = pattern.lastIndex;
  }

  /** @returns whether the string contains an escape */
  function skipString(): boolean {
    let isEscaped = false;
    at += 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) {
        isEscaped = true;
        skip(ESCAPE);
        continue;
      }
      // A control character, or NaN after the end of the text.
      if (!(code >= SPACE)) throw notJson(text, at);
      at += 1;
      if (code === QUOTE) return isEscaped;
    }
  }

  function readName(object: OpenObject): void {
    skipSpace();
    if (text[at] !== '"') throw notJson(text, at);
    const start = at;
    object.name = skipString() ? JSON.parse(text.slice(start, at)) : text.slice(start + 1, at - 1);
    skipSpace();
    if (text[at] !== ':') throw notJson(text, at);
    at += 1;
    skipSpace();
    object.start = at;
  }

  function keepProperty(object: OpenObject, end: number): void {
    const value = text.slice(object.start, end);
    object.properties ??= new Map();
    const earlier = object.properties.get(object.name);
    if (earlier !== undefined && !isSame(earlier, value)) {
      throw invalidJson('The body gives a property a second time with a different value', text, object.start);
    }
    object.properties.set(object.name, value);
  }

  /**
   * Reads a value. In a non-empty object or array, stops before its first value.
   * @returns whether the value has ended
   */
  function readValue(): boolean {
    skipSpace();
    const first = text.charAt(at);
    if (first === '{' || first === '[') return readOpening(first === '{');
    if (first === '"') skipString();
    else skip(first >= 'a' ? WORD : NUMBER);
    return true;
  }

  function readOpening(isObject: boolean): boolean {
    if (open.length === MAX_JSON_DEPTH) throw invalidJson('The body is nested too deep', text, at);
    const object = isObject ? { name: '', start: 0 } : undefined;
    if (open.length === 0) root = object;
    at += 1;
    skipSpace();
    if (text[at] === (isObject ? '}' : ']')) {
      at += 1;
      return true;
    }
    open.push(object);
    if (object) readName(object);
    return false;
  }

  /**
   * Reads what follows a value, including the ends of all objects and arrays that end with it.
   * @returns whether another value follows
   */
  function readOn(): boolean {
    while (open.length > 0) {
      const object = open[open.length - 1];
      const end = at;
      skipSpace();
      const isMore = text[at] === ',';
      // The only property of a nested object cannot be given twice, and is never read.
      if (object && (isMore || object.properties || object === root)) keepProperty(object, end);
      if (!isMore && text[at] !== (object ? '}' : ']')) throw notJson(text, at);
      at += 1;
      if (isMore) {
        if (object) readName(object);
        return true;
      }
      open.pop();
    }
    skipSpace();
    if (at < text.length) throw notJson(text, at);
    return false;
  }

  // Each turn reads opening brackets down to a value that ends, and then the closing brackets after it.
  do {
    while (!readValue());
  } while (readOn());
  return root && (root.properties ?? new Map());
}

/** Space, tab, line feed and carriage return (RFC 8259 §2). */
function isWhiteSpace(code: number): boolean {
  return code <= SPACE && (code === SPACE || code === 0x09 || code === 0x0a || code === 0x0d);
}

/** Whether two JSON texts without whitespace around them are equal strings or are written identically. */
function isSame(a: string, b: string): boolean {
  return a === b || (a.startsWith('"') && b.startsWith('"') && JSON.parse(a) === JSON.parse(b));
}
