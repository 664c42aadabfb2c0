import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { PlainError } from '../../infra/plain-error.ts';
import { progressBar } from '../progress.ts';
import { csvRecords } from './csv.ts';
import type { Ledger } from './ledger.ts';
import { ndjsonRecords } from './ndjson.ts';
import { Pace } from './pace.ts';
import { runImport } from './run.ts';
import { plantSender, type Service } from './sender.ts';
import { Speed } from './speed.ts';

/** An import. */
export interface ImportJob {
  /** The file and its size in bytes; undefined for standard input. */
  readonly input: { readonly file: string; readonly size: number } | undefined;
  readonly format: 'csv' | 'ndjson';
  readonly service: Service;
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
  const { input, format, service, parallel, ledger, stop } = job;
  const { progress } = ledger;
  const chunks = bytesOf(input?.file, progress.next.offset, stop.signal);
  const bar = progressBar(input?.size, { isShare: true });
  const speed = new Speed();
  try {
    await runImport({
      records: format === 'csv' ? csvRecords(chunks, progress) : ndjsonRecords(chunks, progress.next),
      send: plantSender(service, new Pace(parallel), stop.signal),
      commit: (record, refusal) => {
        ledger.commit(record, refusal);
        const { offset, line } = progress.next;
        bar(offset, `${line - 1} lines, ${speed.words(offset, line, input?.size)}`);
      },
      stop,
    });
    ledger.complete();
  } catch (error) {
    ledger.stop();
    throw error;
  } finally {
    bar();
  }
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
