/** `npm run plants`: exports and deletes plants of a store. */

import { runCommands, UsageError } from '../cli/command-line.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { exportFormat } from './plants/export-format.ts';
import { listedPlant, listedPlants } from './plants/listed-plants.ts';

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
    'Exports plants of the local store or, with --stage, of a deployed one, as NDJSON or CSV; or deletes plants.',
  notes: `Each line of IDSFILE is an id, in plain digits, or a plant, as an export to .ndjson writes it. If one is neither, nothing is
read or deleted.

Exit codes: 0 if all plants are exported or deleted, 1 for a failure, or if there are none, 2 if the command is invalid.`,
  commands: {
    export: {
      about: 'Exports plants of the local store or, with --stage, of a deployed one, as NDJSON or CSV.',
      usage: '[FILE] [--format NAME] [--id N | --ids IDSFILE]',
      operands: 1,
      apart: [
        ['stage', 'data'],
        ['id', 'ids'],
      ],
      options: {
        format: { value: 'NAME', about: 'ndjson, jsonl or csv (default: the ending of FILE, or ndjson)' },
        id: { value: 'N', about: 'export only the plant with this id' },
        ids: ONLY,
        ...WHERE,
      },
      notes: `Without FILE, or if it is -, plants go to standard output; without -s, npm would print its banner there. FILE is
written as FILE.part, and takes the place of an earlier one when it is whole: after a failure, FILE is as it was. Only the owner
can read it. The output is whole only if the exit code is 0. An export is not a snapshot: plants stored or deleted during it may or may not be included. Reads are consistent, and take
a read unit for each 4 KB; a throttled one is tried AWS_MAX_ATTEMPTS times (default: 10). NDJSON has items as they are; the last
line says how many an import would refuse. CSV has a header and plants only: a text has double quotes, also an empty one, and what is absent is nothing.`,
      async main({ id, ids: idsFile, format: name, ...options }, [file]) {
        const format = exportFormat(file, name);
        const listed =
          idsFile !== undefined ? listedPlants(idsFile) : id === undefined ? undefined : listedPlant(id);
        const ids = listed && [...listed.keys()];
        const { withPlants } = await import('./plants/plants-table.ts');
        const { exportPlants } = await import('./plants/export-plants.ts');
        await withPlants(options, (plants) => exportPlants(plants, ids, format, file));
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
rest, run it again, and append to its output (>>). If a line of IDSFILE is a plant, it is deleted only if all its properties are the
same; else it is left, its id is printed, and the exit code is 1.`,
      async main({ ids: idsFile, yes, ...options }, [id]) {
        if ((id === undefined) === (idsFile === undefined))
          throw new UsageError('Give either an ID or --ids IDSFILE.');
        const listed = idsFile === undefined ? listedPlant(id ?? '') : listedPlants(idsFile);
        if (!yes && !process.stdin.isTTY) throw new UsageError('There is no terminal to ask on; add --yes.');
        const { withPlants } = await import('./plants/plants-table.ts');
        const { deletePlants } = await import('./plants/delete-plants.ts');
        return withPlants(options, (plants) => deletePlants(plants, listed, yes));
      },
    },
  },
});
