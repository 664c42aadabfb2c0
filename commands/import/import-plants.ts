import { appendFileSync, createReadStream, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { columns, UsageError } from '../../cli/command-line.ts';
import { onFile } from '../../cli/file-error.ts';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { oneLine, print } from '../../cli/print.ts';
import { progressLine } from '../../cli/progress.ts';
import { DEFAULT_DATA_FOLDER } from '../../local/defaults.ts';
import { runningService } from '../../local/running-service.ts';
import { readToken } from '../../operate/shared/access-token-input.ts';
import { readBaseUrl } from '../../operate/shared/base-url.ts';
import { csvRecords } from './csv.ts';
import { inParallel } from './in-parallel.ts';
import { ndjsonRecords } from './ndjson.ts';
import { refusedLine } from './record.ts';
import { plantSender } from './send-plants.ts';
import { linesOf } from './text.ts';

/** The options of `npm run import`. */
interface ImportOptions {
  readonly url?: string | undefined;
  readonly data?: string | undefined;
  readonly format?: string | undefined;
  readonly parallel: number;
}

/** Small chunks: the rows of a large one outlive two garbage collections of young objects, and fill the memory. */
const CHUNKS = { highWaterMark: 4096 };

/**
 * Imports a file, writes the refused lines, and prints how many plants were stored or refused.
 * @param file its name, or - for standard input
 * @returns whether all were stored
 * @throws UsageError if the arguments are invalid
 * @throws PlainError if the file cannot be read, an earlier import left refused lines, or the import stopped early
 */
export async function importCommand(file: string, options: ImportOptions): Promise<boolean> {
  const recordsOf = readerOf(file, options.format);
  if (file !== '-') requireFile(file);
  const refusedFile = `${file === '-' ? 'stdin' : file}.refused.ndjson`;
  if (existsSync(refusedFile))
    throw new PlainError(
      `${refusedFile} is of an earlier import, and may have corrections: move it away, or delete it.`,
    );
  const service = await serviceOf(options, file);
  let stored = 0;
  /** How many records were refused, by the error. */
  const refused = new Map<number, number>();
  let firstRefused = { line: Infinity, message: '' };
  const show = progressLine();
  const start = performance.now();

  await withInterrupt('The import was interrupted.', async (stop) => {
    const stream = addAbortSignal(stop.signal, file === '-' ? process.stdin : createReadStream(file, CHUNKS));
    const records = recordsOf(linesOf(stream, file === '-' ? 'standard input' : file));
    const send = plantSender(service, stop.signal);
    await inParallel(options.parallel, stop, records, async (record) => {
      const { content } = record;
      const refusal = 'plant' in content ? await send(content.plant) : content.refusal;
      if (refusal) {
        const line = refusedLine(record, refusal);
        onFile(refusedFile, 'written to', () => appendFileSync(refusedFile, line, { mode: 0o600 }));
        // Requests may finish in any order.
        if (record.line < firstRefused.line) firstRefused = { line: record.line, message: refusal.message };
        refused.set(refusal.error, (refused.get(refusal.error) ?? 0) + 1);
      } else stored += 1;
      show(`${record.line.toLocaleString('en')} lines`);
    });
  })
    .catch((error) => {
      if (!(error instanceof PlainError)) throw error;
      throw new PlainError(`${error.message} What is stored stays: import the whole file again.`);
    })
    .finally(show);
  report(stored, refused, (performance.now() - start) / 1000);
  if (refused.size === 0) return true;
  print(`\nThe first refused line is ${firstRefused.line}: ${oneLine(firstRefused.message)}`);
  print(`Refused lines: ${refusedFile}`);
  return false;
}

function report(stored: number, refused: ReadonlyMap<number, number>, seconds: number): void {
  const byError = [...refused].sort(([a], [b]) => a - b);
  const records = byError.reduce((sum, [, count]) => sum + count, stored);
  const rows = [
    ['stored', String(stored)],
    ...byError.map(([error, count]) => [`refused with ${error}`, String(count)]),
    ['time', `${Math.round(seconds)} s`],
    ['rate', `${Math.round(records / seconds)}/s`],
  ];
  print(columns(rows, 'rr').join('\n'));
}

function readerOf(file: string, name: string | undefined): typeof csvRecords {
  if (name !== undefined && name !== 'csv' && name !== 'ndjson')
    throw new UsageError('--format must be csv or ndjson.');
  if (name === 'csv' || (name === undefined && /\.csv$/i.test(file))) return csvRecords;
  if (name === 'ndjson' || /\.(ndjson|jsonl)$/i.test(file)) return ndjsonRecords;
  throw new UsageError(`Cannot tell the format from ${file}; set --format to csv or ndjson.`);
}

/** @throws PlainError unless it is a file */
function requireFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new PlainError(`There is no file ${file}.`);
  if (!stats.isFile()) throw new PlainError(`${file} is not a file; FILE may be - for standard input.`);
}

/** The service at `--url`, or else the one that runs on this machine. */
async function serviceOf({ url, data = DEFAULT_DATA_FOLDER }: ImportOptions, file: string) {
  if (url === undefined) {
    const running = await runningService(path.resolve(data));
    print(`Into the running service at ${running.url}`);
    return running;
  }
  const baseUrl = readBaseUrl(url);
  if (file === '-' && !process.env.PLANT_STORE_TOKEN)
    throw new UsageError('Put the access token into PLANT_STORE_TOKEN: standard input has the plants.');
  return { url: baseUrl, token: await readToken() };
}
