import { Failure } from '../errors.ts';
import { type Json, NumberLiteral } from '../json.ts';
import { MAX_JSON_DEPTH } from '../limits.ts';

// Sticky, and each text can match in only one way: no input makes them slow.
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LIST_START = 0x5b;
const LIST_END = 0x5d;
const OBJECT_START = 0x7b;
const OBJECT_END = 0x7d;
const LETTER_A = 0x61;

/** An object or a list whose closing bracket has not been read yet. */
interface Open {
  /** The character code of its closing bracket. */
  readonly closing: number;
  /** What has been read of it. */
  readonly value: Map<string, Json> | Json[];
  /** How many levels of lists and objects are needed of the value that is being read; if negative, the value is not needed. */
  levels: number;
  /** In an object, the name of the property that is being read, and where its value starts. */
  name: string;
  start: number;
  /** The texts of the values that have been read, by name: that of a property given twice is compared. */
  texts: Map<string, string> | undefined;
}

/** In place of the properties of every object that is not needed. */
const NO_PROPERTIES = new Map<string, Json>();

/** Every list that is not needed: nothing of it is kept, so that a megabyte of brackets makes no objects. */
const UNNEEDED_LIST = opened(LIST_END, [], 0);

/**
 * Parses one JSON text (RFC 8259). A number keeps every digit. What is not needed is checked all the same, but of it only the names
 * and texts of properties are kept, for those given twice; nested values need no call stack. Stricter than the RFC in two points
 * that it leaves open: the two values of a property given twice must be equal strings or be written identically, and lists and
 * objects nest at most {@link MAX_JSON_DEPTH} deep.
 * @example parseJson('{"id": 1e3, "list": ["x"]}') // Map { 'id' => NumberLiteral { text: '1e3' }, 'list' => [ 'x' ] }
 * @param needed which properties of the object are needed, and how many levels of lists and objects in each; deeper ones are returned
 * empty. By default, all are
 * @param subject what the text is, for messages
 * @throws Failure 40001 when the text is not JSON; the message says where
 */
export function parseJson(text: string, needed?: ReadonlyMap<string, number>, subject = 'The body'): Json {
  let at = 0;
  /** Outermost first. */
  const open: Open[] = [];
  /** The last of them. */
  let inner: Open | undefined;

  /** The failure that says at which Unicode character, counted from 1, the text is wrong. */
  function failure(what: string, index = at): Failure {
    let number = 1;
    for (const _ of text.slice(0, index)) number += 1;
    return new Failure('INVALID_JSON', { message: `${subject} ${what} at character ${number}.` });
  }

  function notJson(): Failure {
    if (text === '')
      return new Failure('INVALID_JSON', { message: `${subject} is empty; it must be a JSON object.` });
    if (at >= text.length) return failure('is not valid JSON: it ends too early');
    return failure(`is not valid JSON: there is ${text[at] === '\ufeff' ? 'a byte order mark' : 'an error'}`);
  }

  function skipSpace(): void {
    while (isWhiteSpace(text.charCodeAt(at))) at += 1;
  }

  function skip(pattern: RegExp): void {
    pattern.lastIndex = at;
    // Not `exec`, which would create an array for each match.
    if (!pattern.test(text)) throw notJson();
    at = pattern.lastIndex;
  }

  function readString(isNeeded: boolean): string {
    const start = at;
    let isEscaped = false;
    // Not `at`: a variable that other functions share is slower.
    let end = at + 1;
    for (let code = text.charCodeAt(end); code !== QUOTE; code = text.charCodeAt(end)) {
      // NaN after the end of the text, or a control character.
      if (!(code >= SPACE) || code === BACKSLASH) {
        at = end;
        skip(ESCAPE);
        isEscaped = true;
        end = at;
      } else end += 1;
    }
    at = end + 1;
    if (!isNeeded) return '';
    return isEscaped ? JSON.parse(text.slice(start, at)) : text.slice(start + 1, at - 1);
  }

  function readName(object: Open): void {
    skipSpace();
    if (text.charCodeAt(at) !== QUOTE) throw notJson();
    object.name = readString(true);
    skipSpace();
    if (text.charCodeAt(at) !== COLON) throw notJson();
    at += 1;
    skipSpace();
    object.start = at;
    if (needed && open.length === 1) object.levels = needed.get(object.name) ?? -1;
  }

  /** @returns the value; undefined if it is an object or a list in which another value follows */
  function readValue(): Json | undefined {
    skipSpace();
    const first = text.charCodeAt(at);
    // Of the whole text, only an object is needed.
    const levels = inner?.levels ?? (needed && first !== OBJECT_START ? 0 : MAX_JSON_DEPTH);
    if (first === OBJECT_START || first === LIST_START) return readOpening(first === OBJECT_START, levels);
    if (first === QUOTE) return readString(levels >= 0);
    const start = at;
    const isWord = first >= LETTER_A;
    skip(isWord ? WORD : NUMBER);
    if (isWord) return text[start] === 'n' ? null : text[start] === 't';
    return levels >= 0 ? new NumberLiteral(text.slice(start, at)) : null;
  }

  function readOpening(isObject: boolean, levels: number): Json | undefined {
    if (open.length === MAX_JSON_DEPTH) throw failure('is nested too deep');
    if (isObject) inner = opened(OBJECT_END, levels > 0 ? new Map() : NO_PROPERTIES, levels);
    else inner = levels > 0 ? opened(LIST_END, [], levels) : UNNEEDED_LIST;
    open.push(inner);
    at += 1;
    skipSpace();
    if (text.charCodeAt(at) === inner.closing) return close(inner);
    if (isObject) readName(inner);
    return undefined;
  }

  /**
   * Keeps a value that was read in the innermost object or list, and reads what follows it there.
   * @returns the object or the list if it ends; undefined if another value follows
   */
  function readOn(value: Json, into: Open): Json | undefined {
    const isObject = into.closing === OBJECT_END;
    const end = at;
    skipSpace();
    const next = text.charCodeAt(at);
    const isMore = next === COMMA;
    // The only property of an object cannot be given twice.
    if (isObject && (isMore || into.texts)) keepText(into, end);
    if (!isMore && next !== into.closing) throw notJson();
    if (into.levels >= 0) {
      if (into.value instanceof Map) into.value.set(into.name, value);
      else into.value.push(value);
    }
    if (!isMore) return close(into);
    at += 1;
    if (isObject) readName(into);
    return undefined;
  }

  function close(ended: Open): Json {
    at += 1;
    open.pop();
    inner = open[open.length - 1];
    return ended.value;
  }

  function keepText(object: Open, end: number): void {
    const value = text.slice(object.start, end);
    object.texts ??= new Map();
    const earlier = object.texts.get(object.name);
    if (earlier !== undefined && !isWrittenAlike(earlier, value))
      throw failure('gives a property a second time with a different value', object.start);
    object.texts.set(object.name, value);
  }

  let value: Json | undefined;
  do {
    value = readValue();
    while (value !== undefined && inner) value = readOn(value, inner);
  } while (value === undefined);
  skipSpace();
  if (at < text.length) throw notJson();
  return value;
}

/** @param levels how many levels of it are needed */
function opened(closing: number, value: Open['value'], levels: number): Open {
  return { closing, value, levels: levels - 1, name: '', start: 0, texts: undefined };
}

/** Space, tab, line feed and carriage return (RFC 8259 §2). */
function isWhiteSpace(code: number): boolean {
  return code <= SPACE && (code === SPACE || code === 0x09 || code === 0x0a || code === 0x0d);
}

/** Whether two JSON texts without whitespace around them are equal strings or are written identically. */
function isWrittenAlike(a: string, b: string): boolean {
  return a === b || (a.startsWith('"') && b.startsWith('"') && JSON.parse(a) === JSON.parse(b));
}
