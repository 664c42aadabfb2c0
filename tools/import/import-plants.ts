import type { OwnFile } from '../../terminal/line-file.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { progressBar } from '../../terminal/progress.ts';
import { Speed } from '../../terminal/speed.ts';
import { csvRecords } from './csv.ts';
import { inputBytes } from './input.ts';
import { ndjsonRecords } from './ndjson.ts';
import { Pace } from './pace.ts';
import { type InputRecord, type Position, type Refusal, refusedLine } from './record.ts';
import { runImport } from './run.ts';
import { plantSender, type ServiceAccess } from './sender.ts';

/** An import. */
export interface ImportJob {
  /** The file and its size in bytes; undefined for standard input. */
  readonly input: { readonly file: string; readonly size: number } | undefined;
  readonly format: 'csv' | 'ndjson';
  /** Only records that begin in this line or later are sent; undefined for all. */
  readonly fromLine: number | undefined;
  readonly service: ServiceAccess;
  /** The most requests in flight. */
  readonly parallel: number;
  /** The file of refused lines, in the order of the input. Its earlier lines stay until a record is finished. */
  readonly refused: OwnFile;
  readonly stop: AbortController;
}

/** What an import has done so far: each record before `next` is stored or refused. */
export interface Progress {
  next: Position;
  stored: number;
  /** The number of refused lines by error number. */
  readonly refused: Record<string, number>;
  /** The first refused line, and why. */
  firstRefused?: { readonly line: number; readonly message: string };
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

  function commit(record: InputRecord, refusal: Refusal | undefined): void {
    refused.append(refusal ? refusedLine(record, refusal) : '');
    if (refusal) {
      progress.firstRefused ??= { line: record.line, message: refusal.message };
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
    const wanted = fromLine === undefined ? records : startingAt(records, fromLine);
    await runImport({ records: wanted, send, commit, stop });
    refused.append('');
  } finally {
    bar();
  }
}

/**
 * Leaves out the records before a line.
 * @throws PlainError if the line is inside a record, or no record begins there or later
 */
export async function* startingAt(
  records: AsyncIterable<InputRecord>,
  fromLine: number,
): AsyncGenerator<InputRecord> {
  let isFound = false;
  for await (const record of records) {
    if (record.line >= fromLine) {
      isFound = true;
      yield record;
    } else if (record.end.line > fromLine) {
      throw new PlainError(
        `Line ${fromLine} is inside the record of lines ${record.line} to ${record.end.line - 1}.`,
      );
    }
  }
  if (!isFound) throw new PlainError(`No record begins in line ${fromLine} or later.`);
}
