import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { PlainError } from '../../local/plain-error.ts';
import { progressBar } from '../progress.ts';
import { CsvRecords } from './csv.ts';
import type { Ledger } from './ledger.ts';
import { ndjsonRecords } from './ndjson.ts';
import { Pace } from './pace.ts';
import type { InputRecord } from './record.ts';
import { runImport } from './run.ts';
import { Sender } from './sender.ts';
import { Speed } from './speed.ts';

/** How long requests are repeated while none succeeds, in milliseconds. */
const PATIENCE_MS = 60_000;

/** An import. */
export interface ImportJob {
  /** The file and its size in bytes; undefined for standard input. */
  readonly input: { readonly file: string; readonly size: number } | undefined;
  readonly format: 'csv' | 'ndjson';
  readonly service: { readonly url: string; readonly token: string };
  /** The most requests in flight. */
  readonly parallel: number;
  readonly ledger: Ledger;
  readonly stop: AbortController;
}

/**
 * Sends the plants of a file, from the ledger's position on, and shows a progress bar.
 * @throws PlainError if the import stopped early; the ledger has saved the position
 */
export async function importPlants(job: ImportJob): Promise<void> {
  const { input, service, parallel, ledger, stop } = job;
  const sender = new Sender({
    baseUrl: service.url,
    token: service.token,
    signal: stop.signal,
    pace: new Pace(parallel),
    patienceMs: PATIENCE_MS,
  });
  const draw = drawing(input?.size, ledger);
  try {
    await runImport({
      batches: recordsOf(job),
      send: (plant) => sender.send(plant),
      commit: (record, refusal) => {
        ledger.commit(record, refusal);
        draw();
      },
      stop,
    });
    ledger.complete();
  } catch (error) {
    ledger.stop();
    throw error;
  } finally {
    draw(false);
  }
}

function recordsOf({ input, format, ledger, stop }: ImportJob): AsyncIterable<readonly InputRecord[]> {
  const { progress } = ledger;
  const chunks = bytesOf(input?.file, progress.next.offset, stop.signal);
  return format === 'csv' ? new CsvRecords(progress).read(chunks) : ndjsonRecords(chunks, progress.next);
}

async function* bytesOf(
  file: string | undefined,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const stream =
    file === undefined ? addAbortSignal(signal, process.stdin) : createReadStream(file, { start, signal });
  try {
    yield* stream;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PlainError(`${file ?? 'Standard input'} cannot be read (${code}).`);
  }
}

/** @returns a function that draws the progress bar, or with false removes it */
function drawing(size: number | undefined, { progress }: Ledger): (isRunning?: boolean) => void {
  const bar = progressBar(size, { isShare: true });
  const speed = new Speed();
  return (isRunning = true) => {
    if (!isRunning) return bar();
    const { offset, line } = progress.next;
    bar(offset, `${line - 1} lines, ${speed.words(offset, line, size)}`);
  };
}
