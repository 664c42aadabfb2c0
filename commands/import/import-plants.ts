import { existsSync } from 'node:fs';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { progressBar } from '../../cli/progress.ts';
import { OwnFile } from '../shared/own-file.ts';
import { Speed } from '../shared/speed.ts';
import { csvRecords } from './csv.ts';
import { type InputFile, inputBytes } from './input.ts';
import { ndjsonRecords } from './ndjson.ts';
import { type InputRecord, type Refusal, refusedLine } from './record.ts';
import { type ImportParts, runImport } from './run.ts';
import { plantSender, type ServiceAccess } from './sender.ts';

/** An import. */
interface ImportJob {
  /** Undefined for standard input. */
  readonly input: InputFile | undefined;
  readonly format: 'csv' | 'ndjson';
  /** Only records that begin in this line or later are sent; undefined for all. */
  readonly fromLine?: number | undefined;
  readonly service: ServiceAccess;
  /** The most requests in flight. */
  readonly parallel: number;
}

/** What an import has done. */
export interface Outcome {
  stored: number;
  /** The number of refused lines by error number. */
  readonly refused: Record<string, number>;
  /** The first refused line, and why. */
  firstRefused?: { readonly line: number; readonly message: string };
  /** The name of the file of refused lines. */
  readonly refusedFile: string;
}

/**
 * Sends the plants of a file, shows a progress bar, and writes the refused lines in the order of the input. With
 * `fromLine`, they follow those of the earlier import.
 * @throws PlainError if an earlier import left refused lines; or if this one stopped early, with the line in which to go on
 */
export async function importPlants(job: ImportJob): Promise<Outcome> {
  const { input, fromLine } = job;
  const name = `${input?.file ?? 'stdin'}.refused.ndjson`;
  if (fromLine === undefined && existsSync(name))
    throw new PlainError(
      `${name} is of an earlier import, and may have corrections: move it away, or delete it.`,
    );
  const refusedLines = new OwnFile(name, { keeps: fromLine !== undefined });
  const done: Outcome = { stored: 0, refused: {}, refusedFile: name };
  const bar = progressBar(input?.size, { isShare: true });
  const speed = new Speed();
  /** Each record before this line is stored or refused. */
  let next = 1;

  function commit(record: InputRecord, refusal: Refusal | undefined): void {
    if (refusal) {
      refusedLines.append(refusedLine(record, refusal));
      done.firstRefused ??= { line: record.line, message: refusal.message };
      done.refused[refusal.error] = (done.refused[refusal.error] ?? 0) + 1;
    } else {
      done.stored += 1;
    }
    const { offset, line } = record.end;
    next = line;
    bar(offset, `${line - 1} lines, ${speed.words(offset, line, input?.size)}`);
  }

  try {
    await withInterrupt('The import was interrupted.', (stop) => sendAll(job, stop, commit)).finally(bar);
    return done;
  } catch (error) {
    if (!(error instanceof PlainError) || next === 1) throw error;
    throw new PlainError(`${error.message} To go on, add --from-line ${next}.`);
  } finally {
    finish(refusedLines);
  }
}

/** Without refused lines, there is no file. */
function finish(refusedLines: OwnFile): void {
  try {
    if (!refusedLines.isEmpty) refusedLines.close();
  } finally {
    refusedLines.remove();
  }
}

async function sendAll(job: ImportJob, stop: AbortController, commit: ImportParts['commit']): Promise<void> {
  const { input, format, fromLine, service, parallel } = job;
  const bytes = inputBytes(input, stop.signal);
  const all = format === 'csv' ? csvRecords(bytes) : ndjsonRecords(bytes);
  const records = fromLine === undefined ? all : startingAt(all, fromLine);
  const send = plantSender(service, stop.signal);
  await runImport({ records, send, commit, parallel, stop });
}

/**
 * Leaves out the records before a line.
 * @throws PlainError if the line is inside a record, or no record begins there or later
 */
export async function* startingAt(records: AsyncIterable<InputRecord>, fromLine: number) {
  let isFound = false;
  for await (const record of records) {
    if (record.line >= fromLine) {
      isFound = true;
      yield record;
    } else if (record.end.line > fromLine) {
      const lines = `${record.line} to ${record.end.line - 1}`;
      throw new PlainError(`Line ${fromLine} is inside the record of lines ${lines}.`);
    }
  }
  if (!isFound) throw new PlainError(`No record begins in line ${fromLine} or later.`);
}
