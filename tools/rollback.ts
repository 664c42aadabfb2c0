/** `npm run rollback`: points the alias of a stage at an earlier version of the function. */
import { createInterface } from 'node:readline/promises';
import { stageNamed } from '../infra/deployed/stage-option.ts';
import { runCommand, table, UsageError } from '../terminal/command-line.ts';
import { PlainError } from '../terminal/plain-error.ts';
import { print } from '../terminal/print.ts';
import type { RollbackPlan } from './rollback/plan.ts';
import { RUNBOOK } from './rollback/procedure.ts';

await runCommand(
  {
    usage: 'npm run rollback -- --stage NAME [--to VERSION] [--yes]',
    about: 'Returns a deployed stage to an earlier version of its function, for all requests.',
    options: {
      stage: { value: 'NAME', about: 'the stage' },
      to: { value: 'VERSION', about: 'the version (default: the previous one)' },
      yes: { about: 'do not ask; required where there is no terminal' },
    },
    notes: `Shows what it will do, and asks for confirmation. Changes only the alias, not tables, gateway or alarms. Refuses
while a deployment is in progress. Uses the credentials and the Region of the AWS CLI. More:
${RUNBOOK}

Exit codes: 0 if rolled back, 1 if refused or failed, 2 if the command is invalid.`,
  },
  async ({ stage: name, to, yes }) => {
    const stage = stageNamed(name);
    if (to !== undefined && !/^[1-9]\d{0,15}$/.test(to))
      throw new UsageError('--to must be a version number, such as 12.');
    if (!yes && !process.stdin.isTTY) throw new UsageError('There is no terminal to ask on; add --yes.');
    // Loaded only now, so that help and refused options do not wait for it.
    const { planRollback } = await import('./rollback/plan.ts');
    const { pointAlias } = await import('./rollback/point-alias.ts');
    const plan = await planRollback(stage, to);
    announce(stage.name, plan);
    if (!yes && !(await isConfirmed())) throw new PlainError('Nothing was changed.');
    // Signals keep their default action, which ends the process at once: nothing is left to be undone, and nothing is claimed.
    await pointAlias(plan);
    print(`All new requests go to version ${plan.target.Version}. ${wayBack(stage.name, plan)}
CloudFormation does not know of this change: before the next deployment, read ${RUNBOOK}.`);
  },
);

function announce(stage: string, { functionName, alias, weights, versions, target }: RollbackPlan): void {
  const row = (label: string, version: string | undefined) => {
    const found = versions.find(({ Version }) => Version === version);
    const date = found?.LastModified?.slice(0, 16).replace('T', ' ');
    return [
      label,
      `version ${version}`,
      date ? `${date} UTC` : 'no longer there',
      `code ${found?.CodeSha256?.slice(0, 8) ?? '?'}`,
      found?.Description ?? '',
    ];
  };
  const others = Object.entries(weights).map(([version, part]) => row(`  ${part * 100} %`, version));
  print(`Stage ${stage}, alias ${alias.Name} of ${functionName}, for all requests:
${table([row('from', alias.FunctionVersion), ...others, row('to', target.Version)])}`);
}

function wayBack(stage: string, { alias, weights, versions, target }: RollbackPlan): string {
  // After a stopped canary, the alias was at the target already, and a part of the requests went to the newer version.
  const serving = [alias.FunctionVersion, ...Object.keys(weights)];
  const version = serving.find((each) => each !== target.Version);
  if (!versions.some(({ Version }) => Version === version)) return `Version ${version} no longer exists.`;
  return `To return to version ${version}:\n  npm run rollback -- --stage ${stage} --to ${version}`;
}

/** @returns false for Ctrl-C and Ctrl-D too, which reject the question */
async function isConfirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Roll back? [y/N] ').catch(() => '');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
