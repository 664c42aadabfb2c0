/** `npm run import`: stores the plants of a CSV or NDJSON file. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { PlainError } from '../local/plain-error.ts';
import { readBaseUrl, readToken, TOKEN_NOTES, TOKEN_OPTION } from './access-token-input.ts';
import { EXIT, runCommand, table, UsageError, wholeNumber } from './command-line.ts';
import { importPlants } from './import/import-plants.ts';
import { Ledger } from './import/ledger.ts';
import { duration } from './import/speed.ts';
import { startOwnServer } from './own-server.ts';

const MOST_PARALLEL = 256;
const FORMATS: Readonly<Record<string, 'csv' | 'ndjson'>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

await runCommand(
  {
    usage:
      'npm run import -- FILE [--url BASE_URL | --data DIR] [--format csv|ndjson] [--parallel N] [--restart]',
    about:
      'Stores the plants of a file: CSV with a header, or NDJSON. FILE is - for standard input. After an\ninterruption, the same command resumes it.',
    operands: true,
    options: {
      url: {
        value: 'BASE_URL',
        about: 'a running service (default: one is started for the import)',
      },
      data: {
        value: 'DIR',
        about: `the data folder of the service that is started (default: ${DEFAULT_DATA_FOLDER})`,
      },
      format: { value: 'NAME', about: 'csv or ndjson (default: by the ending .csv, .ndjson or .jsonl)' },
      parallel: { value: 'N', about: `requests in flight, at most ${MOST_PARALLEL}`, default: '32' },
      restart: { about: 'start from the first line, and overwrite the files of an earlier import of FILE' },
      token: TOKEN_OPTION,
    },
    notes: `${TOKEN_NOTES}
It is needed only with --url.

FILE.refused.ndjson gets each line that was refused, with the reason in the property "refused". Correct the
lines and import that file: "refused" is ignored. FILE.import.json has the position of the import; it is removed at
the end. Standard input cannot be resumed.

Exit codes: 0 if every plant is stored, 1 if lines were refused or the import stopped early, 2 if the command is
invalid.`,
  },
  async (values, [file, ...rest]) => {
    if (file === undefined || rest.length > 0)
      throw new UsageError('Give one file, or - for standard input; --help shows the options.');
    if (values.url !== undefined && values.data !== undefined)
      throw new UsageError('--url and --data cannot be used together.');
    const parallel = wholeNumber('parallel', values.parallel, 1, MOST_PARALLEL);
    const format = formatOf(file, values.format);
    const input = file === '-' ? undefined : { file, size: sizeOf(file) };
    const given = values.url === undefined ? undefined : await givenService(values.url, file);
    const data = path.resolve(values.data ?? DEFAULT_DATA_FOLDER);
    const own = given ? undefined : await startOwnServer(data);
    try {
      const service = (given ?? own) as { url: string; token: string };
      const ledger = new Ledger(input?.file, given?.url ?? data, values.restart);
      await run({ input, format, parallel, service, ledger });
    } finally {
      own?.process.kill();
    }
  },
);

type Job = Omit<Parameters<typeof importPlants>[0], 'stop'>;

async function run(job: Job): Promise<void> {
  const { ledger } = job;
  const stop = new AbortController();
  // The next signal ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new PlainError('The import was interrupted.')));
  if (ledger.hasBegun) console.info(`Resuming at line ${ledger.progress.next.line}.`);
  const startedAt = performance.now();
  const before = linesOf(ledger);
  try {
    await importPlants({ ...job, stop });
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    if (!ledger.hasBegun) throw error;
    throw new PlainError(`${error.message} ${whereToGoOn(job)}`);
  }
  report(ledger, (performance.now() - startedAt) / 1000, linesOf(ledger) - before);
}

function whereToGoOn({ input, format, ledger }: Job): string {
  const { line } = ledger.progress.next;
  if (input) return `Run the same command to resume at line ${line}.`;
  const header = format === 'csv' ? 'the header and ' : '';
  return `Standard input cannot be resumed: send ${header}the lines from ${line} on again.`;
}

function report({ progress, refused }: Ledger, seconds: number, lines: number): void {
  const numbers = Object.entries(progress.refused);
  const rows = [
    ['stored', String(progress.stored)],
    ...numbers.map(([number, count]) => [`refused with ${number}`, String(count)]),
    ['time', duration(seconds)],
    ['rate', `${Math.round(lines / seconds)}/s`],
  ];
  console.info(table(rows, 'rr'));
  if (numbers.length === 0) return;
  console.info(`\nRefused lines: ${refused.name}`);
  process.exitCode = EXIT.failed;
}

function linesOf({ progress }: Ledger): number {
  return Object.values(progress.refused).reduce((sum, count) => sum + count, progress.stored);
}

function formatOf(file: string, name: string | undefined): 'csv' | 'ndjson' {
  if (name === 'csv' || name === 'ndjson') return name;
  if (name !== undefined) throw new UsageError('--format must be csv or ndjson.');
  const extension = path.extname(file).toLowerCase();
  const format = Object.hasOwn(FORMATS, extension) ? FORMATS[extension] : undefined;
  if (format === undefined) throw new UsageError('Set --format to csv or ndjson.');
  return format;
}

/** @throws PlainError unless it is a file */
function sizeOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new PlainError(`There is no file ${file}.`);
  if (!stats.isFile()) throw new PlainError(`${file} is not a file; FILE may be - for standard input.`);
  return stats.size;
}

async function givenService(url: string, file: string): Promise<{ url: string; token: string }> {
  const baseUrl = readBaseUrl(url);
  if (file === '-' && !process.env.PLANT_STORE_TOKEN)
    throw new UsageError('Put the access token into PLANT_STORE_TOKEN: standard input has the plants.');
  return { url: baseUrl, token: await readToken() };
}
