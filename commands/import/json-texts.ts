import { PlainError } from '../../cli/plain-error.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';
import { bracketFollower } from './brackets.ts';
import type { Source } from './source.ts';
import { linesOf } from './text.ts';

/** The text of one JSON value. */
interface JsonText {
  /** The number of its first line. */
  readonly line: number;
  readonly text: string;
}

const LINE_FEED = 0x0a;
const START_OF_LIST = 0x5b;
const END_OF_OBJECT = 0x7d;
/** JSON's whitespace, and no other (RFC 8259 §2). */
const EMPTY = /^[ \t\r\n]*$/;
/** What stands before an object of a list. */
const BEFORE_ITEM = /^[ \t\r\n]*(?:[[,][ \t\r\n]*)?/;
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
  let items = 0;
  let isEnded = false;
  /** Whether an object takes several pieces; known after the first line that is not empty. */
  let isSpread: boolean | undefined;
  let open: { line: number; text: string; follow: ReturnType<typeof bracketFollower> } | undefined;

  for await (const piece of pieces) {
    let text = piece;
    if (!open && isList && !EMPTY.test(piece)) {
      const [before = ''] = BEFORE_ITEM.exec(piece) ?? [];
      text = piece.slice(before.length);
      line += linesIn(before);
      const sign = before.trim();
      const isEnd = END_OF_LIST.test(text) && sign === (items === 0 ? '[' : '');
      if (isEnded || !(isEnd || (text[0] === '{' && sign === (items === 0 ? '[' : ','))))
        throw noList(line, name);
      if (isEnd) {
        isEnded = true;
        continue;
      }
      items += 1;
    }
    if (open || !EMPTY.test(text)) {
      isSpread ??= isList || bracketFollower()(text) === 'open';
      open ??= { line, text: '', follow: isSpread ? bracketFollower() : () => 'closed' };
      open.text += text;
      if (open.follow(text) === 'closed') {
        yield { line: open.line, text: open.text.replace(/\r?\n$/, '') };
        open = undefined;
      } else if (open.text.length > MAX_BODY_BYTES)
        throw new PlainError(
          `The JSON object that begins in line ${open.line} of ${name} is over 1 MiB, which no plant can be.`,
        );
    }
    line += linesIn(text);
  }
  if (open) throw new PlainError(`The JSON object that begins in line ${open.line} of ${name} does not end.`);
  if (isList && !isEnded) throw new PlainError(`The list in ${name} does not end: a part is missing.`);
}

function noList(line: number, name: string): PlainError {
  return new PlainError(
    `Line ${line} of ${name}: a file of JSON is one list of objects, [{…},{…}], or has an object a line.`,
  );
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
