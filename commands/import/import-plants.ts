import { appendFileSync, createReadStream, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { EXIT, table, UsageError } from '../../cli/command-line.ts';
import { onFile } from '../../cli/file-error.ts';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { oneLine, print } from '../../cli/print.ts';
import { progressBar } from '../../cli/progress.ts';
import { createPlantStore, PlantStoreError } from '../../client/src/index.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import { DEFAULT_DATA_FOLDER } from '../../local/defaults.ts';
import { runningService } from '../../local/running-service.ts';
import { readBaseUrl, readToken } from '../shared/access-token-input.ts';
import { causeOf } from '../shared/send-http.ts';
import { duration, Speed } from '../shared/speed.ts';
import { csvRecords, type InputRecord, ndjsonRecords, type Refusal, refusedLine, textOf } from './records.ts';

/** The options of `npm run import`. */
interface ImportOptions {
  readonly url?: string | undefined;
  readonly data?: string | undefined;
  readonly format?: string | undefined;
  readonly parallel: number;
}

/** Where plants are sent, and the token for it. */
interface ServiceAccess {
  readonly url: string;
  readonly token: string;
}

/** The errors that concern a single line. All others would affect every line, so they stop the import. */
const OF_THE_LINE: readonly number[] = [40001, 40002, 40901, 41301];
/** How long a plant is retried, in milliseconds. */
export const PATIENCE_MS = 60_000;

/**
 * Imports a file, writes the refused lines, and prints how many plants were stored or refused.
 * @param file its name, or - for standard input
 * @throws UsageError if the arguments are invalid
 * @throws PlainError if the file cannot be read, an earlier import left refused lines, or the import stopped early
 */
export async function importCommand(file: string, options: ImportOptions): Promise<void> {
  const read = readerOf(file, options.format);
  const size = file === '-' ? undefined : sizeOf(file);
  const refusedFile = `${file === '-' ? 'stdin' : file}.refused.ndjson`;
  if (existsSync(refusedFile))
    throw new PlainError(
      `${refusedFile} is of an earlier import, and may have corrections: move it away, or delete it.`,
    );
  const service =
    options.url === undefined
      ? await runningService(path.resolve(options.data ?? DEFAULT_DATA_FOLDER))
      : await givenService(options.url, file);
  const speed = new Speed();
  const bar = progressBar(size, { isShare: true });
  let stored = 0;
  const refused = new Map<number, number>();
  let first: { readonly line: number; readonly message: string } | undefined;
  await withInterrupt('The import was interrupted.', async (stop) => {
    const stream = addAbortSignal(stop.signal, file === '-' ? process.stdin : createReadStream(file));
    const records = read(textOf(stream, file === '-' ? 'Standard input' : file));
    const send = plantSender(service, stop.signal);
    const settle = (record: InputRecord, refusal: Refusal | undefined) => {
      if (refusal) {
        const line = refusedLine(record, refusal);
        onFile(refusedFile, 'written to', () => appendFileSync(refusedFile, line, { mode: 0o600 }));
        if (!first || record.line < first.line) first = { line: record.line, message: refusal.message };
        refused.set(refusal.error, (refused.get(refusal.error) ?? 0) + 1);
      } else stored += 1;
      const bytes = 'bytesRead' in stream ? stream.bytesRead : 0;
      bar(bytes, `${record.line} lines, ${speed.words(bytes, record.line, size)}`);
    };
    const work = async () => {
      for await (const record of { [Symbol.asyncIterator]: () => ({ next: () => records.next() }) })
        settle(record, 'plant' in record.content ? await send(record.content.plant) : record.content.refusal);
    };
    const workers = Array.from({ length: options.parallel }, () => work());
    for (const each of workers) each.catch((error) => stop.abort(error));
    await Promise.allSettled(workers);
    if (stop.signal.aborted) throw stoppedBy(stop.signal.reason);
    if (size !== undefined && 'bytesRead' in stream && stream.bytesRead < size)
      throw stoppedBy(new PlainError(`${file} became shorter while it was read.`));
  }).finally(bar);
  const numbers = [...refused].sort().map(([number, count]) => [`refused with ${number}`, String(count)]);
  const rate = [...refused.values()].reduce((sum, count) => sum + count, stored) / speed.seconds;
  const rows = [['stored', String(stored)], ...numbers, ['time', duration(speed.seconds)]];
  print(table([...rows, ['rate', `${Math.round(rate)}/s`]], 'rr'));
  if (!first) return;
  print(`\nThe first refused line is ${first.line}: ${oneLine(first.message)}`);
  print(`Refused lines: ${refusedFile}`);
  process.exitCode = EXIT.failed;
}

function stoppedBy(error: unknown): unknown {
  if (!(error instanceof PlainError)) return error;
  return new PlainError(`${error.message} What is stored stays: import the whole file again.`);
}

function readerOf(file: string, name: string | undefined): typeof csvRecords {
  if (/\.(xls[xmb]?|ods|numbers)$/i.test(file))
    throw new UsageError(`${file} is a workbook; save it as CSV UTF-8 and import that.`);
  if (name !== undefined && name !== 'csv' && name !== 'ndjson')
    throw new UsageError('--format must be csv or ndjson.');
  if (name === 'csv' || (name === undefined && /\.csv$/i.test(file))) return csvRecords;
  if (name === 'ndjson' || /\.(ndjson|jsonl)$/i.test(file)) return ndjsonRecords;
  throw new UsageError(`Cannot tell the format from ${file}; set --format to csv or ndjson.`);
}

/** @throws PlainError unless it is a file */
function sizeOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new PlainError(`There is no file ${file}.`);
  if (!stats.isFile()) throw new PlainError(`${file} is not a file; FILE may be - for standard input.`);
  return stats.size;
}

async function givenService(url: string, file: string): Promise<ServiceAccess> {
  const baseUrl = readBaseUrl(url);
  if (file === '-' && !process.env.PLANT_STORE_TOKEN)
    throw new UsageError('Put the access token into PLANT_STORE_TOKEN: standard input has the plants.');
  return { url: baseUrl, token: await readToken() };
}

/**
 * Prepares to send plants with plant-store-client.
 * @param signal stops all requests
 * @returns a function that sends a plant until it is stored or refused. It returns why the plant was refused, or undefined
 * if it is stored. It throws a PlainError for an error that does not concern this plant, or the signal's reason.
 */
function plantSender({ url: baseUrl, token }: ServiceAccess, signal: AbortSignal) {
  let hasResponded = false;
  const onRetry = (error: PlantStoreError) => {
    const isUnread = error.requestId === undefined && (error.status === 504 || error.cause !== undefined);
    // The address is probably wrong.
    if (isUnread && !hasResponded) throw error;
  };
  const client = createPlantStore({ baseUrl, token, signal, timeoutMs: PATIENCE_MS, onRetry });
  return async (plant: NewPlant): Promise<Refusal | undefined> => {
    try {
      await client.createPlant(plant);
      return undefined;
    } catch (error) {
      if (!(error instanceof PlantStoreError)) throw error;
      if (!OF_THE_LINE.includes(error.error)) throw explained(baseUrl, error);
      return { error: error.error, message: error.message };
    } finally {
      // Otherwise, the import stops.
      hasResponded = true;
    }
  };
}

function explained(baseUrl: string, { error, message, cause }: PlantStoreError): PlainError {
  if (cause === undefined) return new PlainError(oneLine(`${baseUrl} returns ${error}: ${message}`));
  const reason = Object(cause).name === 'TimeoutError' ? 'no response in time' : causeOf(cause);
  return new PlainError(`${baseUrl} cannot be reached (${reason}).`);
}
