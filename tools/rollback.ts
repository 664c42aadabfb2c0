/** `npm run rollback`: points the alias of a stage at an earlier version of the function. */
import { createInterface } from 'node:readline/promises';
import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { PlainError } from '../local/plain-error.ts';
import { explain, failed } from './aws.ts';
import { runCommand, table, UsageError, wholeNumber } from './command-line.ts';
import type { DeployedStack } from './deployed-stack.ts';
import { deploymentsUnderWay, type LiveAlias, pointAlias, readAlias } from './live-alias.ts';
import { deployedStack } from './stack-outputs.ts';
import { stageNamed } from './stage-option.ts';

const RUNBOOK = 'docs/runbook.md#roll-back-a-deployment';

await runCommand(
  {
    usage: 'npm run rollback -- --stage NAME [--to VERSION] [--yes]',
    about: 'Returns a deployed stage to an earlier version of its function, for all requests.',
    options: {
      stage: { value: 'NAME', about: 'the stage' },
      to: { value: 'VERSION', about: 'the version (default: the previous one)' },
      yes: { about: 'do not ask; required where there is no terminal' },
    },
    notes: `Shows what it will do, and asks. Changes only the alias, not tables, gateway or alarms. Refuses while a deployment
is in progress. Uses the credentials and the Region of the AWS CLI. ${RUNBOOK} says more.
Exit codes: 0 if rolled back, 1 if refused or failed, 2 if the command is invalid.`,
  },
  async ({ stage, to, yes }) => {
    if (stage === undefined) throw new UsageError('Name the stage: --stage NAME.');
    if (to !== undefined) wholeNumber('to', to, 1, Number.MAX_SAFE_INTEGER);
    if (!yes && !process.stdin.isTTY) throw new UsageError('There is no terminal to ask on; add --yes.');
    const stack = await deployedStack(stageNamed(stage));
    await refuseDuringDeployment(stack).catch(failed('Nothing was changed'));
    const live = await readAlias(stack).catch(failed('Nothing was changed'));
    const target = chooseTarget(live, to);
    announce(stage, live, target);
    if (!yes && !(await isConfirmed())) throw new PlainError('Nothing was changed.');
    await pointAlias(stack.settings, live, String(target.Version)).catch(failed('Nothing was changed'));
    console.info(`All new requests go to version ${target.Version}. ${wayBack(stage, live)}
CloudFormation does not know of this change: before the next deployment, read ${RUNBOOK}.`);
  },
);

/** @throws PlainError with the command that ends the deployment */
async function refuseDuringDeployment(stack: DeployedStack): Promise<void> {
  const [id] = await deploymentsUnderWay(stack);
  if (id !== undefined)
    throw new PlainError(
      `CodeDeploy is moving the alias. To stop it and roll back: aws deploy stop-deployment --auto-rollback-enabled --deployment-id ${id}`,
    );
  if (stack.status.endsWith('_IN_PROGRESS')) {
    const cancel = `, or: aws cloudformation cancel-update-stack --stack-name ${stack.name}`;
    throw new PlainError(
      `the stack is ${stack.status}; wait until it has ended${stack.status === 'UPDATE_IN_PROGRESS' ? cancel : ''}`,
    );
  }
}

/** @throws PlainError if there is no such version, the alias already points at it, or it would not work */
function chooseTarget(live: LiveAlias, to: string | undefined): FunctionConfiguration {
  const { alias, versions } = live;
  const serving = [alias.FunctionVersion ?? '', ...Object.keys(weights(live))];
  const newest = Math.max(...serving.map(Number));
  const target =
    to === undefined
      ? versions.findLast(({ Version }) => Number(Version) < newest)
      : versions.find(({ Version }) => Version === to);
  const there = versions.map(({ Version }) => Version).join(', ');
  if (!target)
    throw new PlainError(
      `There is no ${to === undefined ? 'earlier version' : `version ${to}`}, only ${there}. Deploy the earlier commit: ${RUNBOOK}`,
    );
  if (serving.length === 1 && serving[0] === target.Version)
    throw new PlainError(`All requests go to version ${target.Version} already.`);
  refuseOtherSurroundings(
    target,
    versions.find(({ Version }) => Version === alias.FunctionVersion),
  );
  return target;
}

/**
 * A version keeps the table names and the role of its time; the role's permissions are those of today.
 * @throws PlainError if the version would use others than the current one
 */
function refuseOtherSurroundings(target: FunctionConfiguration, current?: FunctionConfiguration): void {
  const surroundings = ({ Environment, Role }: FunctionConfiguration) => [
    Environment?.Variables?.[ENVIRONMENT.plantsTable],
    Environment?.Variables?.[ENVIRONMENT.accessTokensTable],
    Role,
  ];
  const now = current && surroundings(current);
  const other = now && surroundings(target).find((each, n) => each !== now[n]);
  if (other !== undefined)
    throw new PlainError(
      `Version ${target.Version} uses ${other}, which the current version does not. Deploy the earlier commit: ${RUNBOOK}`,
    );
}

/** The share of requests, such as 0.1, that goes to each version other than the alias's own. */
function weights({ alias }: LiveAlias): Record<string, number> {
  return alias.RoutingConfig?.AdditionalVersionWeights ?? {};
}

function announce(stage: string, live: LiveAlias, target: FunctionConfiguration): void {
  const row = (label: string, version: string | undefined) => {
    const found = live.versions.find(({ Version }) => Version === version);
    const date = found?.LastModified?.slice(0, 16).replace('T', ' ');
    return [
      label,
      `version ${version}`,
      date ? `${date} UTC` : 'no longer there',
      `code ${found?.CodeSha256?.slice(0, 8) ?? '?'}`,
      found?.Description ?? '',
    ];
  };
  const others = Object.entries(weights(live)).map(([version, part]) => row(`  ${part * 100} %`, version));
  console.info(`Stage ${stage}, alias ${live.alias.Name} of ${live.functionName}, for all requests:
${table([row('from', live.alias.FunctionVersion), ...others, row('to', target.Version)])}`);
}

function wayBack(stage: string, { alias: { FunctionVersion: version }, versions }: LiveAlias): string {
  if (!versions.some(({ Version }) => Version === version)) return `Version ${version} no longer exists.`;
  return `To return to version ${version}:\n  npm run rollback -- --stage ${stage} --to ${version}`;
}

/** @returns false for Ctrl-C and Ctrl-D too */
async function isConfirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question('Roll back? [y/N] '), closed]).catch(explain);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
