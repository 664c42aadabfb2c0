import { createReadStream, statSync } from 'node:fs';
import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import zlib from 'node:zlib';
import { PlainError } from '../../cli/plain-error.ts';

/** What is imported: a file, or standard input. */
export interface Source {
  /** For messages. */
  readonly name: string;
  /** Whether it can be read twice. */
  readonly isRepeatable: boolean;
  /** Reads its bytes from the start, unpacked. */
  chunks(): AsyncIterable<Buffer>;
}

/** Small chunks: the rows of a large one outlive two garbage collections of young objects, and fill the memory. */
const CHUNKS = { highWaterMark: 4096 };

/** The name of a file without the ending of a compression. */
export function unpackedName(file: string): string {
  return file.replace(/\.(gz|zst)$/i, '');
}

/**
 * Prepares to read a file, which is unpacked if its name ends in .gz or .zst.
 * @param file its name, or - for standard input
 * @param signal ends the reading
 */
export function sourceOf(file: string, signal: AbortSignal): Source {
  if (file === '-') {
    const chunks = () => addAbortSignal(signal, process.stdin);
    return { name: 'standard input', isRepeatable: false, chunks };
  }
  const chunks = () => {
    const stream = addAbortSignal(signal, createReadStream(file, CHUNKS));
    if (/\.gz$/i.test(file)) return unpacked(file, stream, zlib.createGunzip());
    return isZstd(file) ? unpacked(file, stream, zlib.createZstdDecompress()) : stream;
  };
  return { name: file, isRepeatable: true, chunks };
}

/**
 * @throws PlainError if the file has more than Node 24.21.0 unpacks, which says nothing of the rest: of zstd, it reads the first frame; of
 * gzip, what stands before a byte that is zero
 */
async function* unpacked(file: string, stream: Readable, unpack: zlib.Gunzip | zlib.ZstdDecompress) {
  const damaged = (what: string) => new PlainError(`${file} is damaged${what}`);
  const several = `, or has several frames, of which only the first is read: zstd -dc ${file} | npm run import -- - --format NAME.`;
  try {
    // The reader sees the error.
    yield* pipeline(stream, unpack, () => undefined);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (code === 'Z_BUF_ERROR') throw damaged(': its end is missing.');
    if (code.startsWith('Z_')) throw damaged(`, or no gzip (${code}).`);
    throw code.startsWith('ZSTD') ? damaged(several) : error;
  }
  const end = unpack.bytesWritten;
  if (isZstd(file) && end < statSync(file).size) throw damaged(several);
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

function isZstd(file: string): boolean {
  return /\.zst$/i.test(file);
}
