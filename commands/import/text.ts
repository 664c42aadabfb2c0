import { isUtf8 } from 'node:buffer';
import { PlainError } from '../../cli/plain-error.ts';
import { MAX_BODY_BYTES } from '../../lambda/limits.ts';

const LINE_FEED = 0x0a;

/**
 * Reads the text of a file or of standard input, in blocks of whole lines, without the byte order mark at its start.
 * @param name for errors
 * @throws PlainError if it cannot be read, or at a line that is over 1 MiB, or is not UTF-8, as in a workbook or a compressed file
 */
export async function* blocksOf(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  /** The number of the first line that is not yielded yet, and its bytes so far. */
  let line = 1;
  let rest = Buffer.alloc(0);

  const decoded = (bytes: Buffer) => {
    const text = isUtf8(bytes) ? bytes.toString() : throwNotUtf8(bytes, line, name);
    const block = line === 1 ? text.replace(/^\ufeff/, '') : text;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) line += 1;
    return block;
  };

  try {
    for await (const chunk of chunks) {
      const bytes = Buffer.concat([rest, chunk]);
      // A character of several bytes has no line feed in it, so a block begins and ends with whole characters.
      const end = bytes.lastIndexOf(LINE_FEED) + 1;
      if (end > 0) yield decoded(bytes.subarray(0, end));
      rest = bytes.subarray(end);
      if (rest.length > MAX_BODY_BYTES)
        throw new PlainError(`Line ${line} of ${name} is over 1 MiB, which no plant can be.`);
    }
    yield decoded(rest);
  } catch (error) {
    if (error instanceof PlainError) throw error;
    throw new PlainError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** @param first the number of its first line */
function throwNotUtf8(bytes: Buffer, first: number, name: string): never {
  const lines = bytes.toString('latin1').split('\n');
  const n = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
  throw new PlainError(
    `Line ${first + n} of ${name} is not UTF-8 text; save the original as CSV UTF-8, or unpack it.`,
  );
}
