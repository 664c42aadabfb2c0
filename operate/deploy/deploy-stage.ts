import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { checkUntil } from '../../checks/check-until.ts';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { oneLine, print } from '../../cli/print.ts';
import { OUTPUTS, stackName } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { compareStage } from '../guard/compare-stage.ts';
import type { GuardValues } from '../guard/options.ts';
import { finishedTemplate } from '../guard/templates.ts';
import { readToken } from '../shared/access-token-input.ts';
import { clientSettings, explain, failed } from '../shared/aws.ts';
import {
  cloudFormation,
  type DeployedStack,
  deployedStack,
  findStack,
  readCaller,
  SERVING,
} from '../shared/deployed-stack.ts';
import { readLive } from '../shared/live-versions.ts';
import { withStageToken } from '../shared/stage-token.ts';
import { type CdkOptions, cdkCommand, cdkEnvironment } from './cdk-options.ts';
import { refuseOtherCanary } from './finished-app.ts';
import { firstRequest } from './first-request.ts';
import { type EndedDeployment, reportOn } from './report.ts';

/** What the command line says of a deployment. */
interface Choices extends GuardValues {
  /** Whether CodeDeploy moves the traffic, by canary if the stage has one. */
  readonly usesCanary: boolean;
  /** What prints an access token for the checks of a stage that issues none. */
  readonly tokenCommand?: string | undefined;
  /** More options of `cdk deploy`. */
  readonly cdk: CdkOptions;
}

/**
 * Deploys a stage if the guard does not refuse it, and checks it until the deployment is over, if it has a canary and is deployed
 * already. Prints what happens.
 * @returns whether the stage was deployed, no check failed, not all were throttled, one version is known to serve, and no token is left
 * @throws PlainError if the deployment cannot be prepared, or a signal came before: nothing is deployed then; or if a signal came later
 */
export async function deployStage(stage: Stage, choices: Choices): Promise<boolean> {
  const client = cloudFormation(stage);
  const prepared = await prepare(stage, choices, client);
  if (!prepared) return false;
  const ended = await deploy(stage, choices, prepared);
  const seen = await look(stage, client, ended.counts === undefined);
  const { lines, isGood } = reportOn(stage, { ...prepared, ...ended, ...seen });
  print(lines.join('\n'));
  return isGood;
}

type Prepared = NonNullable<Awaited<ReturnType<typeof prepare>>>;

/**
 * Step 1: asks the guard, and what serves.
 * @returns the stack and what serves before, and why no checks are made, if so; undefined if the guard refuses
 */
async function prepare(stage: Stage, choices: Choices, client: CloudFormationClient) {
  await refuseAccountOf(stage, choices.cdk.profile).catch(failed('Nothing was deployed'));
  const stack = await findStack(stage, client);
  const finished = finishedTemplate(stage, choices);
  const { lines, isRefused } = await compareStage(stage, stack, choices, { newTemplate: finished });
  print([...lines.map(oneLine), ...(isRefused ? ['Nothing was deployed.'] : [])].join('\n'));
  if (isRefused) return undefined;
  if (finished) refuseOtherCanary(finished, choices);
  const isServing = stack && SERVING.has(stack.status);
  const before = isServing ? await readLive(stack).catch(failed('Nothing was deployed')) : undefined;
  const region = await client.config.region();
  return { stack, before, region, whyUnchecked: whyUnchecked(stage, stack, choices) };
}

/** @throws PlainError if a profile for the CDK is of another account than that at which the guard looks */
async function refuseAccountOf(stage: Stage, profile: string | undefined): Promise<void> {
  if (profile === undefined) return;
  const [{ account }, { account: other }] = await Promise.all([
    readCaller(clientSettings(stage)),
    readCaller(clientSettings(stage, profile)),
  ]);
  if (account !== other)
    throw new PlainError(
      `the guard looks at account ${account}, but --profile ${profile} is of ${other}; set AWS_PROFILE for both.`,
    );
}

function whyUnchecked(
  { name, canaryMinutes }: Stage,
  stack: DeployedStack | undefined,
  { usesCanary, tokenCommand }: Choices,
): string | undefined {
  if (stack === undefined) return `stage ${name} is not deployed yet`;
  if (canaryMinutes === undefined) return `stage ${name} has no canary`;
  if (!usesCanary) return 'the canary is off';
  if (!stack.hasOwnTokens && tokenCommand === undefined && !process.env.PLANT_STORE_TOKEN)
    return `stage ${name} issues no access tokens, and neither --token-command nor PLANT_STORE_TOKEN gives one`;
  return SERVING.has(stack.status) ? undefined : `the stack is ${stack.status}`;
}

/** Step 2: runs the CDK, and meanwhile the checks, with a token of their own. */
async function deploy(
  stage: Stage,
  choices: Choices,
  { stack, before, region, whyUnchecked }: Prepared,
): Promise<Pick<EndedDeployment, 'hasSucceeded' | 'counts' | 'isTokenLeft'>> {
  if (whyUnchecked !== undefined || !stack || !before) {
    print(`No checks are made: ${whyUnchecked}.`);
    const hasSucceeded = await withInterrupt('Interrupted.', ({ signal }) =>
      runCdk(stage, choices, region, signal),
    );
    return { hasSucceeded, counts: undefined, isTokenLeft: false };
  }
  print('Checks are made until it is over. If they fail, stop it: docs/deploy.md#roll-back-a-deployment');
  const share = async () => 1 - ((await readLive(stack)).shares.get(before.version) ?? 0);
  const { result, isRevoked } = await withStageToken(
    stack,
    choices.tokenCommand,
    async (baseUrl, token, interrupted) => {
      const over = new AbortController();
      const renew = () => readToken(choices.tokenCommand);
      const checked = {
        baseUrl,
        token,
        name: stage.name,
        share,
        renew: choices.tokenCommand ? renew : undefined,
      };
      const checking = checkUntil(over.signal, checked);
      // Nothing that happens to the checks may end the deployment.
      checking.catch(() => undefined);
      const hasSucceeded = await runCdk(stage, choices, region, interrupted).finally(() => over.abort());
      return { hasSucceeded, counts: await checking };
    },
  );
  return { ...result, isTokenLeft: !isRevoked };
}

/**
 * Runs `cdk deploy` for a stage, with the credentials and the Region of all other calls.
 * @param interrupted nothing is started after its abort; a deployment that runs is told of it
 * @returns whether it succeeded
 * @throws PlainError if it was interrupted, or the CDK cannot be started
 */
async function runCdk(
  { name }: Stage,
  { usesCanary, cdk, commit, app }: Choices,
  region: string,
  interrupted: AbortSignal,
): Promise<boolean> {
  // A finished one was made with its context.
  const finished = app === undefined ? undefined : ['--app', app];
  const context = [
    `stage=${name}`,
    ...(usesCanary ? [] : ['canary=off']),
    ...(commit ? [`commit=${commit}`] : []),
  ].flatMap((each) => ['-c', each]);
  // By its name: a service of one's own may have another stack. Lines, not a bar that is drawn anew: other lines are printed meanwhile.
  const own = ['--require-approval', 'never', '--rollback', '--progress', 'events'];
  interrupted.throwIfAborted();
  // Not npm: it passes a signal on to its shell only, and the CDK would go on.
  const [program, ...first] = cdkCommand(process.platform);
  const child = spawn(
    program,
    [...first, 'deploy', stackName(name), ...own, ...(finished ?? context), ...cdk.words],
    {
      stdio: 'inherit',
      env: cdkEnvironment(region),
    },
  );
  interrupted.addEventListener('abort', () => void child.kill());
  const [code] = await once(child, 'close').catch((error) => {
    throw new PlainError(`The CDK cannot be started: ${error.message}; use npm run deploy, which finds it.`);
  });
  // CloudFormation does not notice that the CDK has ended.
  if (code !== 0 && interrupted.aborted)
    throw new PlainError(
      `Interrupted: cdk deploy had started and has ended. What CloudFormation has begun goes on: npm run doctor -- --stage ${name} ` +
        'shows its state, docs/deploy.md#roll-back-a-deployment how to stop it.',
    );
  return code === 0;
}

/** Step 3: asks how the stack is, and what serves, and sends a request if nothing else did. */
async function look(
  stage: Stage,
  client: CloudFormationClient,
  isUnchecked: boolean,
): Promise<Pick<EndedDeployment, 'status' | 'after' | 'answer'>> {
  const stack = await deployedStack(stage, client).catch(explain);
  if (typeof stack === 'string') return { status: undefined, after: stack, answer: undefined };
  const after = await readLive(stack).catch(explain);
  const isAsked = isUnchecked && SERVING.has(stack.status);
  const answer = isAsked ? await firstRequest(stack.output(OUTPUTS.baseUrl)) : undefined;
  return { status: stack.status, after, answer };
}
