import { createReadStream, statSync } from 'node:fs';
import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import zlib from 'node:zlib';
import { PlainError } from '../../cli/plain-error.ts';

/** What is imported: a file, or standard input. */
export interface Source {
  /** For messages. */
  readonly name: string;
  /** Its bytes, unpacked. */
  readonly chunks: AsyncIterable<Buffer>;
}

/** Small chunks: the rows of a large one outlive two garbage collections of young objects, and fill the memory. */
const CHUNKS = { highWaterMark: 4096 };

const GZIP = /\.gz$/i;

/** The name of a file without the ending of a compression. */
export function unpackedName(file: string): string {
  return file.replace(GZIP, '');
}

/**
 * Prepares to read a file, which is unpacked if its name ends in .gz.
 * @param file its name, or - for standard input
 * @param signal ends the reading
 */
export function sourceOf(file: string, signal: AbortSignal): Source {
  if (file === '-') return { name: 'standard input', chunks: addAbortSignal(signal, process.stdin) };
  const stream = addAbortSignal(signal, createReadStream(file, CHUNKS));
  return { name: file, chunks: GZIP.test(file) ? unpacked(file, stream) : stream };
}

/**
 * @throws PlainError if the file has more than Node 24.21.0 unpacks, which says nothing of the rest: it reads what stands before a byte
 * that is zero
 */
async function* unpacked(file: string, stream: Readable) {
  const damaged = (what: string) => new PlainError(`${file} is damaged${what}`);
  const unpack = zlib.createGunzip();
  try {
    // The reader sees the error.
    yield* pipeline(stream, unpack, () => undefined);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (code === 'Z_BUF_ERROR') throw damaged(': its end is missing.');
    throw code.startsWith('Z_') ? damaged(`, or no gzip (${code}).`) : error;
  }
  const end = unpack.bytesWritten;
  // Some tools fill the last block with zeros.
  for await (const chunk of createReadStream(file, { start: end }))
    if (chunk.some((byte: number) => byte !== 0))
      throw damaged(`: what it has from byte ${end} on is no gzip.`);
}

/** @throws PlainError unless it is a file that can be read */
export function requireFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new PlainError(`There is no file ${file}.`);
  if (!stats.isFile()) throw new PlainError(`${file} is not a file; FILE may be - for standard input.`);
}
