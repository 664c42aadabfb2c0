/** `npm run contract`: the report of what clients and operators rely on. */
import { EXIT, runCommand } from '../terminal/command-line.ts';
import { print } from '../terminal/print.ts';

await runCommand(
  {
    usage: 'npm run contract [-- --write]',
    about: `Compares what clients and operators rely on with the report contract/surface.txt: openapi.yaml, the error numbers, the
cases, the types of the client, the fields of the log and the settings of a stage. Prints the lines that differ.`,
    options: {
      write: { about: 'write the report, unless a change may break somebody without a new major version' },
    },
    notes: `A change that may break somebody needs a new major version: in contract/openapi.yaml, client/package.json or package.json.
It does not see a change of meaning that no case has, and conditions of settings that a function checks.

Exit codes: 0 if the report is up to date or was written, 1 if not, 2 if the command is invalid.`,
  },
  async ({ write }) => {
    const [{ compare, readReport, writeReport }, { readSources }, { surfaceOf }] = await Promise.all([
      import('./contract/report.ts'),
      import('./contract/sources.ts'),
      import('./contract/surface.ts'),
    ]);
    const surface = surfaceOf(await readSources());
    const { removed, added, refused } = compare(readReport(), surface);
    for (const line of removed) print(`- ${line}${refused.includes(line) ? '   (breaking)' : ''}`);
    for (const line of added) print(`+ ${line}${refused.includes(line) ? '   (breaking)' : ''}`);
    if (refused.length > 0) {
      print('Refused: see "What a release promises" in CONTRIBUTING.md.');
      process.exitCode = EXIT.failed;
    } else if (removed.length + added.length === 0) print('contract/surface.txt is up to date.');
    else if (write) {
      writeReport(surface);
      print('contract/surface.txt is written. Commit it, so that the change is reviewed.');
    } else {
      print(
        'Run npm run contract -- --write and commit contract/surface.txt, so that the change is reviewed.',
      );
      process.exitCode = EXIT.failed;
    }
  },
);
