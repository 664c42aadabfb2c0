/** `npm run plants`: exports and deletes plants of a store. */

import { runCommand, UsageError, wholeNumber } from '../cli/command-line.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { idNamed, idsIn } from './plants/ids.ts';

const MOST_PARALLEL = 64;
const MOST_UNITS = 1_000_000;

await runCommand(
  {
    usage: `npm run -s plants -- export [FILE] [--id N | --ids IDSFILE]
npm run -s plants -- delete ID [--yes]
npm run -s plants -- delete --ids IDSFILE [--yes]`,
    about:
      'Exports plants of the local store or, with --stage, of a deployed one, as NDJSON; or deletes plants.',
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
      parallel: {
        value: 'N',
        about: `segments of the table or, with ids, plants at a time, at most ${MOST_PARALLEL}`,
        default: '8',
      },
      yes: { about: 'delete without asking; required where there is no terminal' },
    },
    notes: `Without FILE, or if it is -, plants go to standard output; without -s, npm would print its banner there. FILE is written
as FILE.part, and takes the place of an earlier one when it is whole: after a failure, FILE is as it was. Only the owner can
read it. An export is not a snapshot: plants stored or deleted during it may or may not be included. Reads are consistent, and
take a read unit for each 4 KB; a throttled one is tried AWS_MAX_ATTEMPTS times (default: 10). An item that is not exactly a
plant is left out, and the exit code is 1.

IDSFILE has one id a line, in plain digits. If a line is none, nothing is read or deleted. delete prints each plant before it
deletes it. If it stops early, it says how many it has deleted; to delete the rest, run it again, and append to its output (>>).

Exit codes: 0 if everything was exported, or the plants are deleted; 1 for a failure, or if there is none of them; 2 if the
command is invalid.`,
  },
  async (options, [verb, operand, ...rest]) => {
    const { id, ids: idsFile, stage, data, rate, yes } = options;
    const isDelete = verb === 'delete';
    const named = isDelete ? operand : id;
    const isExport = verb === 'export' && !yes && !(rate !== undefined && (named ?? idsFile));
    const isDeletion = isDelete && id === undefined && rate === undefined && (named ?? idsFile) !== undefined;
    if (rest.length > 0 || !(isExport || isDeletion) || (named !== undefined && idsFile !== undefined))
      throw new UsageError(
        'Use one of: export [FILE] [--id N | --ids IDSFILE | --rate N], delete ID, delete --ids IDSFILE.',
      );
    if (stage !== undefined && data !== undefined)
      throw new UsageError('--stage and --data cannot be used together.');
    const parallel = wholeNumber('parallel', options.parallel, 1, MOST_PARALLEL);
    const unitsPerSecond = rate === undefined ? undefined : wholeNumber('rate', rate, 1, MOST_UNITS);
    const ids = idsFile === undefined ? (named === undefined ? undefined : [idNamed(named)]) : idsIn(idsFile);
    if (isDelete && !yes && !process.stdin.isTTY)
      throw new UsageError('There is no terminal to ask on; add --yes.');
    // Loaded only now, so that help and refused options do not wait for it.
    const [{ withPlants }, { exportCommand }, { deleteCommand }] = await Promise.all([
      import('./plants/plants-table.ts'),
      import('./plants/export-command.ts'),
      import('./plants/delete-command.ts'),
    ]);
    await withPlants(options, (plants) =>
      isDelete
        ? deleteCommand(plants, ids ?? [], { parallel, isSure: yes })
        : exportCommand(plants, { file: operand, ids, parallel, unitsPerSecond }),
    );
  },
);
