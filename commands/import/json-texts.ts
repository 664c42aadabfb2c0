import { PlainError } from '../../cli/plain-error.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import type { Source } from './source.ts';
import { LINE_FEED, lineFeedsIn, linesOf } from './text.ts';

/** The text of one JSON value. */
interface JsonText {
  /** The number of its first line. */
  readonly line: number;
  readonly text: string;
}

const START_OF_LIST = 0x5b;
const END_OF_OBJECT = 0x7d;
/** JSON's whitespace, and no other (RFC 8259 §2). */
const EMPTY = /^[ \t\r\n]*$/;
/** What stands before an object of a list. */
const BEFORE_ITEM = /^[ \t\r\n]*(?:[[,][ \t\r\n]*)?/;
const COMMA_AT_END = /\},\s*$/;
const LINE_BREAK = /\r?\n$/;
const END_OF_LIST = /^\][ \t\r\n]*$/;

/**
 * Divides a text into its JSON objects: one a line (NDJSON); those of one list; or objects that take several lines each, if the
 * first does not end in its line.
 * @throws PlainError if a list has something else than objects, or an object or the list does not end
 */
export async function* jsonTexts({ chunks, name }: Source): AsyncGenerator<JsonText> {
  let isList = false;
  const pieces = linesOf(chunks, name, (first) => {
    isList = first === START_OF_LIST;
    return isList ? END_OF_OBJECT : LINE_FEED;
  });
  let nextLine = 1;
  /** Whether an object may take several pieces: known after the first piece that is not empty. */
  let isSpread: boolean | undefined;
  let open: { line: number; text: string; follow: ReturnType<typeof bracketFollower> } | undefined;
  for await (const piece of pieces) {
    const line = nextLine;
    nextLine += lineFeedsIn(piece);
    if (!open && EMPTY.test(piece)) continue;
    const isFirst = isSpread === undefined;
    if (isFirst && !isList && COMMA_AT_END.test(piece))
      throw new PlainError(
        `Line ${line} of ${name} ends with a comma, as if the file were a list without its brackets. Remove the commas: sed 's/},\\r*$/}/'.`,
      );
    isSpread ??= isList || bracketFollower()(piece) === 'open';
    if (!isSpread) {
      yield { line, text: piece.replace(LINE_BREAK, '') };
      continue;
    }
    const [before = ''] = (isList && !open && BEFORE_ITEM.exec(piece)) || [];
    const text = piece.slice(before.length);
    if (isList && !open) {
      const sign = before.trim();
      // Only the last piece does not end with an object.
      if (END_OF_LIST.test(text) && sign === (isFirst ? '[' : '')) return;
      if (text === '') break;
      if (text[0] !== '{' || sign !== (isFirst ? '[' : ','))
        throw new PlainError(
          `Line ${line + lineFeedsIn(before)} of ${name}: a file of JSON is one list of objects, [{…},{…}], or has an object a line.`,
        );
    }
    open ??= { line: line + lineFeedsIn(before), text: '', follow: bracketFollower() };
    open.text += text;
    if (open.follow(text) === 'closed') {
      yield { line: open.line, text: open.text.replace(LINE_BREAK, '') };
      open = undefined;
    } else if (open.text.length > MAX_BODY_BYTES)
      throw new PlainError(
        `The JSON object that begins in line ${open.line} of ${name} is over 1 MiB, which no plant can be.`,
      );
  }
  if (open) throw new PlainError(`The JSON object that begins in line ${open.line} of ${name} does not end.`);
  if (isList) throw new PlainError(`The list in ${name} does not end: a part is missing.`);
}

/**
 * Follows the brackets of one JSON value that comes in pieces, of which none ends in an escape.
 * @returns a function that gets each piece, and returns where it ends: after the value or before it, inside it, or in a string in it
 */
function bracketFollower(): (piece: string) => 'closed' | 'open' | 'in a string' {
  let depth = 0;
  let isInString = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const each = piece[at];
      if (isInString) {
        if (each === '\\') at += 1;
        else if (each === '"') isInString = false;
      } else if (each === '"') isInString = true;
      else if (each === '{' || each === '[') depth += 1;
      else if (each === '}' || each === ']') depth -= 1;
    }
    if (isInString) return 'in a string';
    return depth > 0 ? 'open' : 'closed';
  };
}
