/** `npm run plants`: exports and deletes plants of a store. */

import { readFileSync } from 'node:fs';
import { runCommands, UsageError } from '../cli/command-line.ts';
import { onFile } from '../cli/file-error.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { idOfLine } from './plants/plant-line.ts';
import { ID, isId } from './shared/plant-key.ts';

const ONLY = { value: 'IDSFILE', about: 'only the plants with the ids in this file' } as const;
const WHERE = {
  stage: { value: 'NAME', about: 'use the deployed stage, with the credentials of the AWS CLI' },
  table: { value: 'NAME', about: "another table than the stage's own, such as a restored one" },
  data: { value: 'DIR', about: `the local service's data folder (default: ${DEFAULT_DATA_FOLDER})` },
} as const;

// What does the work is loaded only by the command, so that help and refused options do not wait for it.
await runCommands({
  script: 'plants',
  isQuiet: true,
  about:
    'Exports plants of the local store or, with --stage, of a deployed one, as NDJSON; or deletes plants.',
  notes: `Each line of IDSFILE is an id, in plain digits, or a plant, as an export writes it. If one is neither, nothing is read or
deleted.

Exit codes: 0 if all plants are exported or deleted, 1 for a failure, or if there are none, 2 if the command is invalid.`,
  commands: {
    export: {
      about: 'Exports plants of the local store or, with --stage, of a deployed one, as NDJSON.',
      usage: '[FILE] [--id N | --ids IDSFILE]',
      operands: 1,
      apart: [
        ['stage', 'data'],
        ['id', 'ids'],
      ],
      options: { id: { value: 'N', about: 'export only the plant with this id' }, ids: ONLY, ...WHERE },
      notes: `Without FILE, or if it is -, plants go to standard output; without -s, npm would print its banner there. FILE is
written as FILE.part, and takes the place of an earlier one when it is whole: after a failure, FILE is as it was. Only the owner
can read it. The output is whole only if the exit code is 0. An export is not a snapshot: plants stored or deleted during it may or may not be included. Reads are consistent, and take
a read unit for each 4 KB; a throttled one is tried AWS_MAX_ATTEMPTS times (default: 10). Items are written as they are; the last
line says how many an import would refuse.`,
      async main({ id, ids: idsFile, ...options }, [file]) {
        const ids = idsFile !== undefined ? idsIn(idsFile) : id === undefined ? undefined : [idNamed(id)];
        const { withPlants } = await import('./plants/plants-table.ts');
        const { exportPlants } = await import('./plants/export-plants.ts');
        await withPlants(options, (plants) => exportPlants(plants, ids, file));
      },
    },
    delete: {
      about: 'Deletes plants of the local store or, with --stage, of a deployed one, and prints each before.',
      usage: 'ID [--yes]\n--ids IDSFILE [--yes]',
      operands: 1,
      apart: [['stage', 'data']],
      options: {
        ids: ONLY,
        ...WHERE,
        yes: { about: 'delete without asking; required where there is no terminal' },
      },
      notes: `Each plant is printed before it is deleted. If delete stops early, it says how many it has deleted; to delete the
rest, run it again, and append to its output (>>).`,
      async main({ ids: idsFile, yes, ...options }, [id]) {
        if ((id === undefined) === (idsFile === undefined))
          throw new UsageError('Give either an ID or --ids IDSFILE.');
        const ids = idsFile === undefined ? [idNamed(id ?? '')] : idsIn(idsFile);
        if (!yes && !process.stdin.isTTY) throw new UsageError('There is no terminal to ask on; add --yes.');
        const { withPlants } = await import('./plants/plants-table.ts');
        const { deletePlants } = await import('./plants/delete-plants.ts');
        await withPlants(options, (plants) => deletePlants(plants, ids, yes));
      },
    },
  },
});

/**
 * Reads an id on the command line, or in a file.
 * @returns the text
 * @throws UsageError if it is none
 */
function idNamed(text: string, what = 'The id'): string {
  if (isId(text)) return text;
  throw new UsageError(`${what} must be ${ID}.`);
}

/** Reads a file of ids or of plants, one a line. @throws UsageError at the first line that is neither, or if there is none */
function idsIn(file: string): string[] {
  // What editors and spreadsheets add: a byte order mark at the start, and empty lines at the end.
  const text = onFile(file, 'read', () => readFileSync(file, 'utf8')).replace(/^\ufeff|[\r\n]+$/g, '');
  if (text === '') throw new UsageError(`${file} is empty: it names no plant.`);
  const lines = text.split(/\r?\n/);
  const ids = new Set(lines.map((line, n) => idNamed(idOfLine(line) ?? line, `${file}, line ${n + 1},`)));
  return [...ids];
}
