/** `npm run rollback`: points the alias of a stage at an earlier version of the function. */
import { createInterface } from 'node:readline/promises';
import { stageNamed } from '../operate/deployed/stage-option.ts';
import { runCommand, UsageError } from '../terminal/command-line.ts';
import { PlainError } from '../terminal/plain-error.ts';
import { print } from '../terminal/print.ts';
import { chooseTarget, RUNBOOK } from './rollback/choose-target.ts';

await runCommand(
  {
    usage: 'npm run rollback -- --stage NAME [--to VERSION] [--yes]',
    about: 'Returns a deployed stage to an earlier version of its function, for all requests.',
    options: {
      stage: { value: 'NAME', about: 'the stage' },
      to: { value: 'VERSION', about: 'the version (default: the newest earlier one that no rollback left)' },
      yes: { about: 'do not ask; required where there is no terminal' },
    },
    notes: `Lists the versions and asks for confirmation. Changes only the alias, and marks the version that it leaves; not tables,
gateway or alarms. Refuses while a deployment is in progress. Uses the credentials and the Region of the AWS CLI. More:
${RUNBOOK}

Exit codes: 0 if rolled back, 1 if refused, failed or not marked, 2 if the command is invalid.`,
  },
  async ({ stage: name, to, yes }) => {
    const stage = stageNamed(name);
    if (to !== undefined && !/^[1-9]\d{0,15}$/.test(to))
      throw new UsageError('--to must be a version number, such as 12.');
    if (!yes && !process.stdin.isTTY) throw new UsageError('There is no terminal to ask on; add --yes.');
    // Loaded only now, so that help and refused options do not wait for it.
    const { readLiveFunction } = await import('./rollback/live-function.ts');
    const { printVersions } = await import('./rollback/print-versions.ts');
    const { pointAlias } = await import('./rollback/point-alias.ts');
    const { updateMarks } = await import('./rollback/marks.ts');
    const live = await readLiveFunction(stage);
    await printVersions(stage.name, live, to);
    const target = chooseTarget(live, to);
    if (live.marked.has(String(target.Version)))
      print(`Warning: a rollback has left version ${target.Version}.`);
    print(`All requests will go to version ${target.Version}.`);
    if (!yes && !(await isConfirmed())) throw new PlainError('Nothing was changed.');
    // Signals keep their default action, which ends the process at once: nothing is left to be undone, nothing is claimed, and only
    // the mark may be missing.
    await pointAlias(live, target);
    // After a stopped canary, the alias was at the target already, and a part of the requests went to the newer version.
    const left = live.serving.find((each) => each !== target.Version);
    print(`All new requests go to version ${target.Version}. To return to version ${left}:
  npm run rollback -- --stage ${stage.name} --to ${left}
The next deployment must revert the faulty commit, with -c canary=off; another one may move the alias back: docs/deploy.md#after-a-rollback`);
    if (stage.isProtected) for (const line of await updateMarks(live, target)) print(line);
  },
);

/** @returns false for Ctrl-C and Ctrl-D too, which reject the question */
async function isConfirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const typed = await terminal.question('Roll back? [y/N] ').catch(() => '');
  terminal.close();
  return /^y(es)?$/i.test(typed.trim());
}
