/** `npm run import`: stores the plants of a CSV or NDJSON file. */

import { runCommand, UsageError, wholeNumber } from '../cli/command-line.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { TOKEN_NOTES } from './shared/access-token-input.ts';

const MOST_PARALLEL = 256;

await runCommand(
  {
    usage:
      'npm run import -- FILE [--url BASE_URL | --data DIR] [--format csv|ndjson] [--parallel N] [--from-line N]',
    about: 'Stores the plants of a file: CSV with a header, or NDJSON. FILE is - for standard input.',
    operands: 1,
    apart: [['url', 'data']],
    options: {
      url: {
        value: 'BASE_URL',
        about:
          'a service (default: the one on this machine; if none is running, it is started for the import)',
      },
      data: {
        value: 'DIR',
        about: `the data folder of the service on this machine (default: ${DEFAULT_DATA_FOLDER})`,
      },
      format: { value: 'NAME', about: 'csv or ndjson (default: from the ending .csv, .ndjson or .jsonl)' },
      parallel: { value: 'N', about: `requests in flight, at most ${MOST_PARALLEL}`, default: '32' },
      'from-line': {
        value: 'N',
        about: 'send only what begins in line N or later, and keep the refused lines of the earlier import',
      },
    },
    notes: `${TOKEN_NOTES}
It is needed only with --url.

CSV is UTF-8 with commas and double quotes (RFC 4180). Its header names the properties, in any order. An id is plain
digits. An empty field counts as absent; use NDJSON for an empty string. At a double quote out of place the import
stops, because readers disagree about where such a row ends; at a row over 1 MiB, too. NDJSON has one plant a line, as in a
request. Empty lines and rows are skipped. Ids keep all digits. A line has at most 1 MiB.

FILE.refused.ndjson gets each line that was refused, with the reason in the property "refused". Correct the
lines and import that file: "refused" is ignored. While it exists, FILE is imported with --from-line only, which adds to it.

After 42901, 50301 and 50401, requests are retried, with longer and longer pauses. The import stops if the first one gets no
response in 10 seconds, if one fails for 60 seconds, or on an error that concerns every line, such as a wrong token. It then
says in which line to go on. After a kill, import the whole file again: plants that are stored already stay as they are.

Exit codes: 0 if every plant is stored, 1 if lines were refused or the import stopped early, 2 if the command is
invalid.`,
  },
  async ({ 'from-line': line, ...values }, [file]) => {
    if (file === undefined)
      throw new UsageError('Give one file, or - for standard input; --help shows the options.');
    const parallel = wholeNumber('parallel', values.parallel, 1, MOST_PARALLEL);
    const fromLine =
      line === undefined ? undefined : wholeNumber('from-line', line, 1, Number.MAX_SAFE_INTEGER);
    // Loaded only now, so that help and refused options do not wait for it.
    const { importCommand } = await import('./import/command.ts');
    await importCommand(file, { ...values, parallel, fromLine });
  },
);
