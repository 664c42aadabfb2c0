/** `npm run import`: stores the plants of a CSV or NDJSON file. */
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { TOKEN_NOTES, TOKEN_OPTION } from './access-token-input.ts';
import { runCommand, wholeNumber } from './command-line.ts';

const MOST_PARALLEL = 256;

await runCommand(
  {
    usage:
      'npm run import -- FILE [--url BASE_URL | --data DIR] [--format csv|ndjson] [--parallel N] [--restart]',
    about:
      'Stores the plants of a file: CSV with a header, or NDJSON. FILE is - for standard input. After an\ninterruption, the same command resumes the import.',
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
      format: { value: 'NAME', about: 'csv or ndjson (default: from the ending .csv, .ndjson or .jsonl)' },
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
  async (values, operands) => {
    const parallel = wholeNumber('parallel', values.parallel, 1, MOST_PARALLEL);
    // Loaded only now, so that help and refused options do not wait for it.
    const { importCommand } = await import('./import/command.ts');
    await importCommand({ ...values, parallel }, operands);
  },
);
