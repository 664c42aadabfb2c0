import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { PlainError } from '../../cli/plain-error.ts';

/** How files begin that are not UTF-8 text, in hexadecimal, and what they are. */
const FOREIGN: readonly (readonly [start: RegExp, what: string])[] = [
  [/^1f8b/, 'is compressed with gzip; unpack it'],
  [/^504b0304/, 'is a ZIP archive or an Excel workbook; unpack it, or export it as CSV in UTF-8'],
  // A compound file ([MS-CFB] 2.2), as Excel 97 to 2003 write it.
  [/^d0cf11e0/, 'is an Excel workbook; save it as CSV UTF-8'],
  // With a byte order mark, or two Latin characters.
  [/^(fffe|feff|(?!00)..00(?!00)..00|00(?!00)..00(?!00))/, 'is UTF-16; save it as UTF-8'],
];
/** How many bytes tell. */
const ENOUGH = 4;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** A file, and its size in bytes before it is read. */
export interface InputFile {
  readonly file: string;
  readonly size: number;
}

/**
 * Reads a file or standard input, without the byte order mark at its start.
 * @param input undefined for standard input
 * @throws PlainError if it cannot be read, becomes shorter, or is not UTF-8 text by its first bytes
 */
export async function* inputBytes(input: InputFile | undefined, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { file: name, size } = input ?? { file: 'Standard input', size: 0 };
  const stream = input ? createReadStream(name, { signal }) : addAbortSignal(signal, process.stdin);
  try {
    yield* textBytes(stream, name);
    if ('bytesRead' in stream && stream.bytesRead < size)
      throw new PlainError(`${name} became shorter while it was read.`);
  } catch (error) {
    if (error instanceof PlainError) throw error;
    throw new PlainError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/**
 * Removes the byte order mark at the start of a text.
 * @param name for the error
 * @throws PlainError if the first bytes show that it is not UTF-8 text
 */
export async function* textBytes(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!start) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < ENOUGH) continue;
    yield checkedStart(start, name);
    start = undefined;
  }
  if (start) yield checkedStart(start, name);
}

function checkedStart(start: Buffer, name: string): Buffer {
  const [, what] = FOREIGN.find(([pattern]) => pattern.test(start.toString('hex', 0, ENOUGH))) ?? [];
  if (what !== undefined) throw new PlainError(`${name} ${what}.`);
  const hasMark = start.indexOf(BYTE_ORDER_MARK) === 0;
  return hasMark ? start.subarray(BYTE_ORDER_MARK.length) : start;
}
