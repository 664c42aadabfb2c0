import { progressBar } from '../../terminal/progress.ts';
import { Speed } from '../../terminal/speed.ts';
import { csvRecords } from './csv.ts';
import { inputBytes } from './input.ts';
import { ndjsonRecords } from './ndjson.ts';
import { Pace } from './pace.ts';
import { type InputRecord, type Position, type Refusal, refusedLine } from './record.ts';
import type { RefusedFile } from './refused-file.ts';
import { runImport } from './run.ts';
import { plantSender, type ServiceAccess } from './sender.ts';
import { startingAt } from './starting-at.ts';

/** An import. */
export interface ImportJob {
  /** The file and its size in bytes; undefined for standard input. */
  readonly input: { readonly file: string; readonly size: number } | undefined;
  readonly format: 'csv' | 'ndjson';
  /** Only records that begin in this line or later are sent; undefined for all, in place of the refused lines of earlier imports. */
  readonly fromLine: number | undefined;
  readonly service: ServiceAccess;
  /** The most requests in flight. */
  readonly parallel: number;
  readonly refused: RefusedFile;
  readonly stop: AbortController;
}

/** What an import has done so far: each record before `next` is stored or refused. */
export interface Progress {
  next: Position;
  stored: number;
  /** The number of refused lines by error number. */
  readonly refused: Record<string, number>;
}

/**
 * Sends the plants of a file, and shows a progress bar.
 * @param progress changed with each record
 * @throws PlainError if the import stopped early
 */
export async function importPlants(job: ImportJob, progress: Progress): Promise<void> {
  const { input, format, fromLine, service, parallel, refused, stop } = job;
  const bytes = inputBytes(input?.file, stop.signal);
  const records = format === 'csv' ? csvRecords(bytes) : ndjsonRecords(bytes);
  const bar = progressBar(input?.size, { isShare: true });
  const speed = new Speed();
  let isBegun = fromLine !== undefined;

  function begin(): void {
    if (!isBegun) refused.begin();
    isBegun = true;
  }

  function commit(record: InputRecord, refusal: Refusal | undefined): void {
    begin();
    if (refusal) {
      refused.append(refusedLine(record, refusal));
      progress.refused[refusal.error] = (progress.refused[refusal.error] ?? 0) + 1;
    } else {
      progress.stored += 1;
    }
    progress.next = record.end;
    const { offset, line } = record.end;
    bar(offset, `${line - 1} lines, ${speed.words(offset, line, input?.size)}`);
  }

  try {
    const send = plantSender(service, new Pace(parallel), stop.signal);
    await runImport({ records: startingAt(records, fromLine), send, commit, stop });
    begin();
  } finally {
    bar();
    refused.close();
  }
}
