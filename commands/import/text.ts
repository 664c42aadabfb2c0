import { isUtf8 } from 'node:buffer';
import { PlainError } from '../../cli/plain-error.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';

const LINE_FEED = 0x0a;

/**
 * Reads the lines of a file or of standard input, each with its line feed, without the byte order mark at the start.
 * @param name for errors
 * @throws PlainError if it cannot be read, or at a line that is over 1 MiB, or is not UTF-8, as in a workbook or a compressed file
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  let line = 1;
  let rest = Buffer.alloc(0);

  const decoded = (bytes: Buffer) => {
    if (!isUtf8(bytes))
      throw new PlainError(
        `Line ${line} of ${name} is not UTF-8 text; save the original as CSV UTF-8, or unpack it.`,
      );
    const text = line === 1 ? bytes.toString().replace(/^\ufeff/, '') : bytes.toString();
    line += 1;
    return text;
  };

  try {
    for await (const chunk of chunks) {
      const bytes = Buffer.concat([rest, chunk]);
      let start = 0;
      // A character of several bytes has no line feed in it.
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
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
