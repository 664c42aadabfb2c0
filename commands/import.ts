/** `npm run import`: stores the plants of a CSV or NDJSON file. */

import { runCommand, UsageError, wholeNumber } from '../cli/command-line.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { TOKEN_NOTES } from '../operate/shared/access-token-input.ts';

const MOST_PARALLEL = 256;

await runCommand(
  {
    script: 'import',
    usage: 'FILE [--url BASE_URL | --data DIR] [--format csv|ndjson] [--parallel N]',
    about: 'Stores the plants of a file: CSV with a header, or NDJSON. FILE is - for standard input.',
    operands: 1,
    apart: [['url', 'data']],
    options: {
      url: { value: 'BASE_URL', about: 'a service (default: the one that runs on this machine)' },
      data: {
        value: 'DIR',
        about: `the data folder of the service on this machine (default: ${DEFAULT_DATA_FOLDER})`,
      },
      format: { value: 'NAME', about: 'csv or ndjson (default: from the ending .csv, .ndjson or .jsonl)' },
      parallel: { value: 'N', about: `requests in flight, at most ${MOST_PARALLEL}`, default: '32' },
    },
    notes: `${TOKEN_NOTES}
It is needed only with --url.

The text is UTF-8. CSV has commas, or semicolons if its header has them, and double quotes (RFC 4180); a first line sep=; is
skipped. Its header names the properties, in any order. An id is plain digits. An empty field counts as absent; use NDJSON for an empty string. A list or an object is JSON. NDJSON has one plant a line, as in a request. Empty
lines and rows are skipped. Ids keep all digits.

FILE.refused.ndjson gets each line that was refused, with the reason in the property "refused". Correct the
lines and import that file: "refused" is ignored. While it exists, FILE is not imported again.

After 42901, 50301 and 50401, requests are retried, with longer and longer pauses. The import stops if the first one gets no
response in 10 seconds, if one fails for 60 seconds, at a line that is not UTF-8, no CSV or over 1 MiB, which it names, or on an error that concerns
every line, such as a wrong token. Then import the whole file again: plants that are stored already stay as they are.

Exit codes: 0 if every plant is stored, 1 if lines were refused or the import stopped early, 2 if the command is
invalid.`,
  },
  async ({ parallel, ...options }, [file]) => {
    if (file === undefined)
      throw new UsageError('Give one file, or - for standard input; --help shows the options.');
    const most = wholeNumber('parallel', parallel, 1, MOST_PARALLEL);
    // Loaded only now, so that help and refused options do not wait for it.
    const { importCommand } = await import('./import/import-plants.ts');
    return importCommand(file, { ...options, parallel: most });
  },
);
