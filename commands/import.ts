/** `npm run import`: stores the plants of a file. */
import { runCommand, UsageError, wholeNumber } from '../cli/command-line.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { TOKEN_COMMAND, TOKEN_NOTES } from '../operate/shared/access-token-input.ts';

const MOST_PARALLEL = 256;

await runCommand({
  script: 'import',
  usage:
    'FILE [--url BASE_URL [--token-command COMMAND] | --data DIR] [--format NAME] [--null TEXT ...] [--no-quotes] [--rename NAME=PROPERTY ...] [--ignore NAME,... ...] [--parallel N]',
  about:
    'Stores the plants of a file: CSV with a header, NDJSON or a list of JSON. FILE is - for standard input.',
  operands: 1,
  apart: [['url', 'data']],
  options: {
    url: { value: 'BASE_URL', about: 'a service (default: the one that runs on this machine)' },
    data: {
      value: 'DIR',
      about: `the data folder of the service on this machine (default: ${DEFAULT_DATA_FOLDER})`,
    },
    ...TOKEN_COMMAND,
    format: { value: 'NAME', about: 'csv, tsv, ndjson, jsonl or json (default: the ending of FILE)' },
    null: {
      value: 'TEXT',
      about: 'how CSV writes what is absent; may be repeated (default: as nothing)',
      repeatable: true,
      mayBeEmpty: true,
    },
    'no-quotes': { about: 'in CSV, a quote is a character like any other, as in files of GBIF' },
    rename: {
      value: 'NAME=PROPERTY',
      about: 'a name of the file, and the property that it becomes; may be repeated',
      repeatable: true,
    },
    ignore: {
      value: 'NAME,...',
      about: 'names of the file that are left out, one with a comma in double quotes; may be repeated',
      repeatable: true,
    },
    parallel: { value: 'N', about: `requests in flight, at most ${MOST_PARALLEL}`, default: '32' },
  },
  notes: `${TOKEN_NOTES}
It is needed only with --url.

The text is UTF-8. A file whose name also ends in .gz is unpacked.

CSV has commas, or semicolons, tabs or vertical bars if its header has them, and double quotes (RFC 4180); a first line sep=; is skipped. Its header
names the properties, in any order. A list or an object is JSON. A field with nothing in it is absent, as are fields that a row lacks at
its end. A field in quotes is a text, and "" the empty one. NA, \\N and such words without quotes are refused in an optional property, unless
--null says what is absent: --null NA, --null '""' of a tool that quotes all, or --null '' for nothing alone. Then every other field is a text:
docs/import.md#absent-and-empty

In files of GBIF and others, quotes are part of the texts: --no-quotes. Without it, a file with tabs or bars is refused where a quote is
inside a text, and a row where a line break, a tab or a bar is between quotes.

JSON has one plant a line, as in a request (NDJSON), one list of plants, or plants that take several lines each. null of an optional property is absent. A line of
DynamoDB's export to S3, or its item alone, is a plant, too.

--rename and --ignore are about names at the top of a line, of its item, or of the header. A name that the file does not have is an error; of
JSON, the import says so at its end. How many lines a name was left out of is said there, too.

An id is plain digits, also as a text of JSON, and keeps all of them. 10.0 is 10, but from 2^53 on a number with a point or an exponent
is refused: it has passed through a floating-point number. Empty lines and rows are skipped.

FILE.refused.ndjson gets each line that was refused, with the names of properties, and with the reason in "refused". Correct the
lines and import that file: "refused" is ignored. While it exists, FILE is not imported again.

After 42901, 50301 and 50401, requests are retried, with longer and longer pauses. The import stops if the first one gets no
response in 10 seconds, if one fails for 60 seconds, at a line that is not UTF-8, no CSV or over 1 MiB, which it names, or on an error that concerns
every line, such as a wrong token. Then import the whole file again: plants that are stored already stay as they are.

Exit codes: 0 if every plant is stored, 1 if lines were refused, the file lacks a name, or the import stopped early, 2 if
the command is invalid.`,
  async main({ parallel, ...options }, [file]) {
    if (file === undefined)
      throw new UsageError('Give one file, or - for standard input; --help shows the options.');
    const most = wholeNumber('parallel', parallel, 1, MOST_PARALLEL);
    // Loaded only now, so that help and refused options do not wait for it.
    const { importCommand } = await import('./import/import-plants.ts');
    return importCommand(file, { ...options, parallel: most });
  },
});
