import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { oneLine, print } from '../../cli/print.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { compareStage } from '../guard/compare-stage.ts';
import type { Accepted } from '../guard/options.ts';
import { explain, failed } from '../shared/aws.ts';
import { type DeployedStack, deployedStack, describeStack } from '../shared/deployed-stack.ts';
import { readLive } from '../shared/live-versions.ts';
import { withStageToken } from '../shared/stage-access.ts';
import { type Counts, reportOn } from './report.ts';

/** What the command line says of a deployment. */
export interface Choices extends Accepted {
  /** Whether CodeDeploy moves the traffic, by canary if the stage has one. */
  readonly usesCanary: boolean;
  /** More options of `cdk deploy`. */
  readonly options: readonly string[];
}

/** Checks a stage again and again, until the deployment is over. @see checkUntil in commands/verify/check-until.ts */
type CheckUntil = (
  over: AbortSignal,
  options: { baseUrl: string; token: string; stage: string; share: () => Promise<number> },
) => Promise<Counts>;

/** The states of a stack that serves requests and can be updated. */
const SERVING = ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'];

/**
 * Deploys a stage if the guard does not refuse it, and checks it until the deployment is over, if it has a canary and is deployed
 * already. Prints what happens.
 * @returns whether the stage was deployed, no check failed, not all were throttled, and it is known what serves
 * @throws PlainError if the deployment cannot be prepared, or a signal came before: nothing is deployed then; or if a signal came later
 */
export async function deployStage(stage: Stage, choices: Choices, checkUntil: CheckUntil): Promise<boolean> {
  const { lines, isRefused } = await compareStage(stage, choices);
  print(lines.map(oneLine).join('\n'));
  if (isRefused) {
    print('Nothing was deployed.');
    return false;
  }
  const nothing = failed('Nothing was deployed');
  const stack = await describeStack(stage).catch(nothing);
  const before = stack && SERVING.includes(stack.status) ? await readLive(stack).catch(nothing) : undefined;

  const deploy = async (interrupted: AbortSignal, check?: (over: AbortSignal) => Promise<Counts>) => {
    const over = new AbortController();
    const checking = check?.(over.signal);
    // Nothing that happens to the checks may end the deployment.
    checking?.catch(() => undefined);
    const hasSucceeded = await runCdk(stage, choices, interrupted).finally(() => over.abort());
    const counts = await checking;
    const found = await deployedStack(stage).catch(explain);
    const [status, after] =
      typeof found === 'string' ? ['not known', found] : [found.status, await readLive(found).catch(explain)];
    // With a template as before, the CDK succeeds although the stack is UPDATE_FAILED (github.com/aws/aws-cdk-cli, issue 1972).
    const isDeployed = hasSucceeded && SERVING.includes(status);
    if (hasSucceeded && !isDeployed) print(`The CDK has succeeded, but the state of the stack is ${status}.`);
    const report = reportOn(stage.name, { isDeployed, before, after, counts });
    print(report.lines.join('\n'));
    return report.isGood;
  };

  const reason = whyNoChecks(stage, stack, choices);
  if (reason !== undefined || !stack || !before) {
    print(`No checks are made: ${reason}.`);
    return withInterrupt('Interrupted.', ({ signal }) => deploy(signal));
  }
  print('Checks are made until it is over. If they fail, stop it: docs/deploy.md#roll-back-a-deployment');
  return withStageToken(stage, (baseUrl, token, interrupted) => {
    const share = async () => 1 - ((await readLive(stack)).shares.get(before.version) ?? 0);
    return deploy(interrupted, (over) => checkUntil(over, { baseUrl, token, stage: stage.name, share }));
  });
}

function whyNoChecks(
  { name, canaryMinutes }: Stage,
  stack: DeployedStack | undefined,
  { usesCanary }: Choices,
): string | undefined {
  if (stack === undefined) return `stage ${name} is not deployed yet`;
  if (canaryMinutes === undefined) return `stage ${name} has no canary`;
  if (!usesCanary) return 'the canary is off';
  return SERVING.includes(stack.status) ? undefined : `the stack is ${stack.status}`;
}

/**
 * Runs `cdk deploy` for a stage.
 * @param interrupted nothing is started after its abort; a deployment that runs is told of it
 * @returns whether it succeeded
 * @throws PlainError if it was interrupted, or the CDK cannot be started
 */
async function runCdk(
  { name }: Stage,
  { usesCanary, options }: Choices,
  interrupted: AbortSignal,
): Promise<boolean> {
  const context = ['-c', `stage=${name}`, ...(usesCanary ? [] : ['-c', 'canary=off'])];
  // Lines, not a bar that is drawn anew: other lines are printed meanwhile.
  const words = ['deploy', '--require-approval', 'never', ...context, '--progress', 'events', ...options];
  interrupted.throwIfAborted();
  // Not npm: it passes a signal on to its shell only, and the CDK would go on.
  const child = spawn('cdk', words, { stdio: 'inherit', shell: process.platform === 'win32' });
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
