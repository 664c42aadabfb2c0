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
    const [{ review }, { readSources }, { surfaceOf }] = await Promise.all([
      import('./contract/report.ts'),
      import('./contract/sources.ts'),
      import('./contract/surface.ts'),
    ]);
    const { lines, isUpToDate } = review(surfaceOf(await readSources()), write);
    print(lines.join('\n'));
    if (!isUpToDate) process.exitCode = EXIT.failed;
  },
);
