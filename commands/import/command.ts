import { statSync } from 'node:fs';
import path from 'node:path';
import { EXIT, table, UsageError } from '../../cli/command-line.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { oneLine, print } from '../../cli/print.ts';
import { DEFAULT_DATA_FOLDER } from '../../local/defaults.ts';
import { readBaseUrl, readToken } from '../shared/access-token-input.ts';
import { runningService, startOwnServer } from '../shared/own-server.ts';
import { duration } from '../shared/speed.ts';
import { importPlants, type Outcome } from './import-plants.ts';
import type { ServiceAccess } from './sender.ts';

/** The options of `npm run import`. */
interface ImportOptions {
  readonly url?: string | undefined;
  readonly data?: string | undefined;
  readonly format?: string | undefined;
  readonly fromLine?: number | undefined;
  readonly parallel: number;
}

/**
 * Imports a file, and prints how many plants were stored or refused.
 * @param file its name, or - for standard input
 * @throws UsageError if the arguments are invalid
 * @throws PlainError if the file cannot be read, or the import stopped early
 */
export async function importCommand(file: string, options: ImportOptions): Promise<void> {
  const format = formatOf(file, options.format);
  const input = file === '-' ? undefined : { file, size: sizeOf(file) };
  const { fromLine, parallel } = options;
  const run = async (service: ServiceAccess) => {
    const start = performance.now();
    const outcome = await importPlants({ input, format, fromLine, parallel, service });
    report(outcome, (performance.now() - start) / 1000);
  };
  if (options.url !== undefined) return run(await givenService(options.url, file));
  await withLocalService(path.resolve(options.data ?? DEFAULT_DATA_FOLDER), run);
}

/** Imports into the service that has the data folder open, or else into one that runs only for the import. */
async function withLocalService(data: string, run: (service: ServiceAccess) => Promise<void>): Promise<void> {
  const running = await runningService(data);
  if (running) {
    print(`Into the running service at ${running.url}`);
    return run(running);
  }
  const own = await startOwnServer(data);
  try {
    await run(own);
  } finally {
    own.process.kill();
  }
}

function formatOf(file: string, name: string | undefined): 'csv' | 'ndjson' {
  if (/\.(xls[xmb]?|ods|numbers)$/i.test(file))
    throw new UsageError(`${file} is a workbook; save it as CSV UTF-8 and import that.`);
  if (name !== undefined && name !== 'csv' && name !== 'ndjson')
    throw new UsageError('--format must be csv or ndjson.');
  if (name !== undefined) return name;
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
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

function report({ stored, refused, firstRefused, refusedFile }: Outcome, seconds: number): void {
  const numbers = Object.entries(refused);
  const records = numbers.reduce((sum, [, count]) => sum + count, stored);
  const rows = [
    ['stored', String(stored)],
    ...numbers.map(([number, count]) => [`refused with ${number}`, String(count)]),
    ['time', duration(seconds)],
    ['rate', `${Math.round(records / seconds)}/s`],
  ];
  print(table(rows, 'rr'));
  if (!firstRefused) return;
  print(`\nThe first refused line is ${firstRefused.line}: ${oneLine(firstRefused.message)}`);
  print(`Refused lines: ${refusedFile}`);
  process.exitCode = EXIT.failed;
}
