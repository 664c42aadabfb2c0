import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../cli/command-line.ts';
import { onFile } from '../../cli/file-error.ts';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { print } from '../../cli/print.ts';
import { progressLine } from '../../cli/progress.ts';
import { DEFAULT_DATA_FOLDER } from '../../local/defaults.ts';
import { readToken } from '../../operate/shared/access-token-input.ts';
import { readBaseUrl } from '../shared/base-url.ts';
import { csvRecords } from './csv.ts';
import { inParallel } from './in-parallel.ts';
import { jsonRecords } from './json.ts';
import { lostDigits } from './lost-digits.ts';
import { fileNames } from './names.ts';
import { outcome } from './outcome.ts';
import { type InputRecord, type Reading, refusedLine } from './record.ts';
import { plantSender } from './send-plants.ts';
import { requireFile, type Source, sourceOf, unpackedName } from './source.ts';

/** The options of `npm run import`. */
interface ImportOptions {
  readonly url?: string | undefined;
  readonly data?: string | undefined;
  readonly format?: string | undefined;
  readonly null?: Reading['absent'];
  readonly 'no-quotes'?: boolean;
  readonly rename?: readonly string[] | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly parallel: number;
  readonly 'token-command'?: string | undefined;
}

/** By the ending of the file, which is also the name of the format. */
const FORMATS: Readonly<Record<string, (source: Source, reading: Reading) => AsyncIterable<InputRecord>>> = {
  csv: csvRecords,
  tsv: csvRecords,
  ndjson: jsonRecords,
  jsonl: jsonRecords,
  json: jsonRecords,
};

/**
 * Imports a file, writes the refused lines, and prints how many plants were stored or refused.
 * @param file its name, or - for standard input
 * @returns whether all were stored
 * @throws UsageError if the arguments are invalid
 * @throws PlainError if the file cannot be read, an earlier import left refused lines, or the import stopped early
 */
export async function importCommand(file: string, options: ImportOptions): Promise<boolean> {
  const recordsOf = readerOf(file, options.format);
  if (options.null && recordsOf !== csvRecords)
    throw new UsageError('--null is for CSV; in JSON, null is absent.');
  if (options['no-quotes'] && recordsOf !== csvRecords) throw new UsageError('--no-quotes is for CSV.');
  const names = fileNames(options);
  if (file !== '-') requireFile(file);
  const refusedFile = `${file === '-' ? 'stdin' : file}.refused.ndjson`;
  if (existsSync(refusedFile))
    throw new PlainError(
      `${refusedFile} is of an earlier import, and may have corrections: move it away, or delete it.`,
    );
  const service = await serviceOf(options, file);
  let sent = 0;
  const done = outcome();
  const ids = lostDigits();
  const show = progressLine();
  const start = performance.now();

  await withInterrupt('The import was interrupted.', async (stop) => {
    const send = plantSender(service, stop.signal);
    const records = recordsOf(sourceOf(file, stop.signal), {
      absent: options.null,
      quotes: !options['no-quotes'],
      names,
    });
    await inParallel(options.parallel, stop, records, async (record) => {
      const { content } = record;
      if ('plant' in content) {
        sent += 1;
        ids.see(content.plant.id);
      }
      const refusal = 'plant' in content ? await send(content.plant) : content.refusal;
      if (refusal) {
        const line = refusedLine(record, refusal);
        onFile(refusedFile, 'written to', () => appendFileSync(refusedFile, line, { mode: 0o600 }));
        done.refuse(record, refusal);
      } else done.store();
      show(() => `${record.line.toLocaleString('en')} lines`);
    });
  })
    .catch((error) => {
      if (!(error instanceof PlainError) || (sent === 0 && !done.hasRefused())) throw error;
      // Otherwise the next import would not begin.
      const first = done.hasRefused() ? `delete ${refusedFile}, and ` : '';
      const left = sent > 0 ? 'What is stored stays' : 'Nothing was stored';
      throw new PlainError(`${error.message} ${left}: ${first}import the whole file again.`);
    })
    .finally(show);
  done.report({ names, seconds: (performance.now() - start) / 1000, refusedFile, warning: ids.warning() });
  return !done.hasRefused() && names.missing().length === 0;
}

function readerOf(file: string, name: string | undefined): (typeof FORMATS)[string] {
  const names = Object.keys(FORMATS).join(', ');
  if (name !== undefined && !Object.hasOwn(FORMATS, name))
    throw new UsageError(`--format must be one of ${names}.`);
  if (/\.zst$/i.test(file))
    throw new UsageError(`Unpack ${file} first: zstd -dc ${file} | npm run import -- - --format NAME.`);
  const ending = path.extname(unpackedName(file)).slice(1).toLowerCase();
  const format = name ?? (Object.hasOwn(FORMATS, ending) ? ending : undefined);
  const reader = format === undefined ? undefined : FORMATS[format];
  if (!reader) throw new UsageError(`Cannot tell the format from ${file}; set --format to one of ${names}.`);
  return reader;
}

/** The service at `--url`, or else the one that runs on this machine. */
async function serviceOf(
  { url, data = DEFAULT_DATA_FOLDER, 'token-command': command }: ImportOptions,
  file: string,
) {
  if (url === undefined) {
    // Loads LevelDB.
    const { runningService } = await import('../../local/running-service.ts');
    const running = await runningService(path.resolve(data));
    print(`Into the running service at ${running.url}`);
    return running;
  }
  const baseUrl = readBaseUrl(url);
  if (file === '-' && !process.env.PLANT_STORE_TOKEN && command === undefined)
    throw new UsageError(
      'Put the access token into PLANT_STORE_TOKEN, or use --token-command: standard input has the plants.',
    );
  return { url: baseUrl, token: await readToken(command) };
}
