import { isUtf8 } from 'node:buffer';
import { PlainError } from '../../cli/plain-error.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';

export const LINE_FEED = 0x0a;
/** A byte order mark, and JSON's whitespace (RFC 8259 §2). */
const BEFORE_TEXT: readonly number[] = [0xef, 0xbb, 0xbf, 0x20, 0x09, LINE_FEED, 0x0d];

/**
 * Reads the lines of a file or of standard input, each with its line feed, without the byte order mark at the start.
 * @param name for errors
 * @param endAfter gets the first byte that is no white space, and returns the ASCII character with which a piece of the text ends, in
 * place of a line feed
 * @throws PlainError if it cannot be read, or at a line that is over 1 MiB, or is not UTF-8, as in a workbook or a compressed file
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  name: string,
  endAfter: (first: number) => number = () => LINE_FEED,
): AsyncGenerator<string> {
  let line = 1;
  let isStart = true;
  let rest = Buffer.alloc(0);
  let last: number | undefined;

  const decoded = (bytes: Buffer) => {
    if (!isUtf8(bytes))
      throw new PlainError(
        `Line ${line + lineFeedsIn(bytes.toString().split('\ufffd', 1)[0])} of ${name} is not UTF-8 text; save the original as CSV UTF-8, or unpack it.`,
      );
    const text = isStart ? bytes.toString().replace(/^\ufeff/, '') : bytes.toString();
    isStart = false;
    line += (last ?? LINE_FEED) === LINE_FEED ? 1 : lineFeedsIn(text);
    return text;
  };

  try {
    for await (const chunk of chunks) {
      if (last === undefined) {
        const first = chunk.find((byte) => !BEFORE_TEXT.includes(byte));
        if (first !== undefined) last = endAfter(first);
      }
      const bytes = Buffer.concat([rest, chunk]);
      let start = 0;
      // A character of several bytes has no ASCII character in it.
      const next = () => bytes.indexOf(last ?? LINE_FEED, start);
      for (let end = next(); end >= 0; end = next()) {
        yield decoded(bytes.subarray(start, end + 1));
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (rest.length > MAX_BODY_BYTES)
        throw new PlainError(`Line ${line} of ${name} is over 1 MiB, which no plant can be.`);
    }
    yield decoded(rest);
  } catch (error) {
    if (error instanceof PlainError) throw error;
    throw new PlainError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** The number of line feeds in a text. */
export function lineFeedsIn(text = ''): number {
  return text.split('\n').length - 1;
}
