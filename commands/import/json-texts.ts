import { PlainError } from '../../cli/plain-error.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import { bracketFollower } from './brackets.ts';
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
  const pieces = linesOf(chunks(), name, (first) => {
    isList = first === START_OF_LIST;
    return isList ? END_OF_OBJECT : LINE_FEED;
  });
  let line = 1;
  /** Known after the first piece that is not empty. */
  let spread: ReturnType<typeof spreadObjects> | undefined;
  let isFirst = true;
  for await (const piece of pieces) {
    const isEmpty = EMPTY.test(piece);
    if (isFirst && !isEmpty) {
      isFirst = false;
      if (!isList && COMMA_AT_END.test(piece))
        throw new PlainError(
          `Line ${line} of ${name} ends with a comma, as if the file were a list without its brackets. Remove the commas: sed 's/},\\r*$/}/'.`,
        );
      if (isList || bracketFollower()(piece) === 'open') spread = spreadObjects(name, isList);
    }
    if (spread) {
      const text = spread.add(piece, line);
      if (text) yield text;
      line += lineFeedsIn(piece);
    } else {
      if (!isEmpty) yield { line, text: piece.replace(LINE_BREAK, '') };
      line += 1;
    }
  }
  spread?.end();
}

/** Puts together objects that come in several pieces. */
function spreadObjects(name: string, isList: boolean) {
  let open: { line: number; text: string; follow: ReturnType<typeof bracketFollower> } | undefined;
  let isEmptyList = true;
  let isEnded = false;

  /** The text of a piece where the next object of the list begins. @returns undefined at the end of the list */
  const itemIn = (piece: string, line: number): string | undefined => {
    const [before = ''] = BEFORE_ITEM.exec(piece) ?? [];
    const text = piece.slice(before.length);
    const sign = before.trim();
    // The end of the file: that the list does not end is said there.
    if (!isEnded && text === '') return undefined;
    if (!isEnded && END_OF_LIST.test(text) && sign === (isEmptyList ? '[' : '')) {
      isEnded = true;
      return undefined;
    }
    if (isEnded || text[0] !== '{' || sign !== (isEmptyList ? '[' : ','))
      throw new PlainError(
        `Line ${line + lineFeedsIn(before)} of ${name}: a file of JSON is one list of objects, [{…},{…}], or has an object a line.`,
      );
    isEmptyList = false;
    return text;
  };

  return {
    /** @returns an object if it ends in this piece */
    add(piece: string, line: number): JsonText | undefined {
      if (!open && EMPTY.test(piece)) return undefined;
      const text = isList && !open ? itemIn(piece, line) : piece;
      if (text === undefined) return undefined;
      open ??= {
        line: line + lineFeedsIn(piece.slice(0, piece.length - text.length)),
        text: '',
        follow: bracketFollower(),
      };
      open.text += text;
      const { line: first, text: whole } = open;
      if (open.follow(text) === 'closed') {
        open = undefined;
        return { line: first, text: whole.replace(LINE_BREAK, '') };
      }
      if (whole.length <= MAX_BODY_BYTES) return undefined;
      throw new PlainError(
        `The JSON object that begins in line ${first} of ${name} is over 1 MiB, which no plant can be.`,
      );
    },
    /** @throws PlainError if something is missing */
    end(): void {
      if (open)
        throw new PlainError(`The JSON object that begins in line ${open.line} of ${name} does not end.`);
      if (isList && !isEnded) throw new PlainError(`The list in ${name} does not end: a part is missing.`);
    },
  };
}
