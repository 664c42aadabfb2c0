/** `npm run plants`: exports the plants of a store, and deletes one. */
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { runCommand, UsageError, wholeNumber } from '../terminal/command-line.ts';
import { idNamed } from './plants/plant-line.ts';

const MOST_SEGMENTS = 64;
const MOST_UNITS = 1_000_000;

await runCommand(
  {
    usage: `npm run -s plants -- export [FILE] [--id N | --ids IDSFILE]
npm run -s plants -- delete ID [--yes]
npm run -s plants -- delete --ids IDSFILE [--yes]`,
    about: 'Exports plants of the local store or, with --stage, of a deployed one, as NDJSON; or deletes plants.',
    operands: true,
    options: {
      id: { value: 'N', about: 'export only the plant with this id' },
      ids: { value: 'IDSFILE', about: 'only the plants with the ids in this file, one a line' },
      stage: { value: 'NAME', about: 'use the deployed stage, with the credentials of the AWS CLI' },
      table: { value: 'NAME', about: "another table than the stage's own, such as a restored one" },
      data: { value: 'DIR', about: `the local service's data folder (default: ${DEFAULT_DATA_FOLDER})` },
      rate: {
        value: 'N',
        about: "read units a second at most (default: the reads of the stage's tableCeiling, or no limit)",
      },
      parallel: { value: 'N', about: `segments of the table, at most ${MOST_SEGMENTS}`, default: '8' },
      yes: { about: 'delete without asking for the id again; required where there is no terminal' },
    },
    notes: `Without FILE, or if it is -, plants go to standard output; without -s, npm would print its banner there. An export is
not a snapshot: plants stored or deleted during the export may or may not be included. Reads are consistent, and take a read
unit for each 4 KB; a throttled one is tried AWS_MAX_ATTEMPTS times (default: 10). After Ctrl-C or an error of AWS the output
ends with a whole line, and the exit code is 1; an export cannot be resumed. An item that is not exactly a plant is left out,
and the exit code is 1. Only the owner can read FILE. While it is written, FILE.lock keeps a second export out.

Write a negative id as --id=-5, and after two dashes: delete -- -5

Exit codes: 0 if everything was exported, or the plant is deleted; 1 for a failure; 2 if the command is invalid.`,
  },
  async ({ id, stage, table, data, rate, parallel, yes }, [verb, operand, ...rest]) => {
    const isExport = verb === 'export' && !yes;
    const isDelete = verb === 'delete' && operand !== undefined && id === undefined && rate === undefined;
    if (rest.length > 0 || !(isExport || isDelete))
      throw new UsageError('Use one of: export [FILE] [--id N], delete ID [--yes]; --help shows more.');
    if (stage !== undefined && data !== undefined)
      throw new UsageError('--stage and --data cannot be used together.');
    const segments = wholeNumber('parallel', parallel, 1, MOST_SEGMENTS);
    const unitsPerSecond = rate === undefined ? undefined : wholeNumber('rate', rate, 1, MOST_UNITS);
    const named = isDelete ? operand : id;
    const one = named === undefined ? undefined : idNamed(named);
    if (isDelete && !yes && !process.stdin.isTTY)
      throw new UsageError('There is no terminal to ask on; add --yes.');
    // Loaded only now, so that help and refused options do not wait for it.
    const [{ withPlants }, { exportCommand, exportOne }, { deleteCommand }] = await Promise.all([
      import('./plants/plants-table.ts'),
      import('./plants/export-command.ts'),
      import('./plants/delete-command.ts'),
    ]);
    await withPlants({ stage, table, data }, (plants) => {
      if (one === undefined) return exportCommand(plants, { file: operand, segments, unitsPerSecond });
      return isDelete ? deleteCommand(plants, one, yes) : exportOne(plants, { file: operand, id: one });
    });
  },
);
