/** `npm run contract`: compares what clients and operators rely on with the last release. */
import { EXIT, runCommand } from '../terminal/command-line.ts';
import { print } from '../terminal/print.ts';

await runCommand(
  {
    usage: 'npm run contract [-- --keep]',
    about: `Compares what clients and operators rely on with the last release: openapi.yaml, the error numbers, the cases, the
types of the client, the fields of the log and the settings of a stage. Lists each change that is not known to be harmless,
as a line for CHANGELOG.md.`,
    options: { keep: { about: 'write it to contract/released.json, as a part of a release' } },
    notes: `A change passes if the major version goes up: in contract/openapi.yaml, client/package.json or package.json.
Does not see a change of meaning that no case has, and conditions of settings that a function checks.

Exit codes: 0 if nothing breaks or the major version went up, 1 if not, 2 if the command is invalid.`,
  },
  async ({ keep }) => {
    const [{ judge, keepReleased, readReleased }, { readSources }, { surfaceOf }] = await Promise.all([
      import('./contract/released.ts'),
      import('./contract/sources.ts'),
      import('./contract/surface.ts'),
    ]);
    const now = surfaceOf(await readSources());
    if (keep) {
      keepReleased(now);
      print('contract/released.json is written. Commit it with the release.');
      return;
    }
    const { lines, isRefused } = judge(readReleased(), now);
    print(lines.join('\n'));
    if (isRefused) process.exitCode = EXIT.failed;
  },
);
