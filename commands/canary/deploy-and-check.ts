import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { oneLine, print } from '../../cli/print.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { failed } from '../shared/aws.ts';
import { describeStack } from '../shared/deployed-stack.ts';
import { withStageToken } from '../shared/stage-access.ts';
import { caseChecks } from '../verify/case-checks.ts';
import { type Check, runChecks } from '../verify/check.ts';
import { plantChecks } from '../verify/plant-checks.ts';
import { RunningService } from '../verify/running-service.ts';

/** Between two checks, in milliseconds: some 300 in ten minutes, of which a version with a tenth of the traffic gets 30. */
const PAUSE_MS = 2_000;

/** The states of a stack that serves requests and can be updated. */
const SERVING = ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'];

/**
 * Deploys a stage, and checks it until the deployment is over, if it has a canary and is deployed already.
 * @param options more options of `cdk deploy`
 * @returns whether the deployment succeeded, no check failed, and not all were throttled, which would show nothing
 * @throws PlainError if the checks cannot be prepared, or a signal came before: nothing is deployed then; or if a signal came later
 */
export async function deployAndCheck(stage: Stage, options: readonly string[]): Promise<boolean> {
  const reason = await whyNone(stage);
  if (reason !== undefined) {
    print(`No requests are sent: ${reason}.`);
    return withInterrupt('Interrupted.', ({ signal }) => deploy(stage, options, signal));
  }
  return withStageToken(stage, async (baseUrl, token, interrupted) => {
    const over = new AbortController();
    const checking = checkUntil(
      over.signal,
      new RunningService(baseUrl, token, { isOnce: true }),
      stage.name,
    );
    // Nothing that happens to the requests may end the deployment.
    checking.catch(() => undefined);
    const isDeployed = await deploy(stage, options, interrupted).finally(() => over.abort());
    const { held, failures, throttled } = await checking;
    print(
      `The deployment has ${isDeployed ? 'succeeded' : 'failed'}. Checks: ${held + failures + throttled}; failures: ${failures}; throttled: ${throttled}.`,
    );
    return isDeployed && failures === 0 && held > 0;
  });
}

/** Why no requests are sent. @throws PlainError if AWS does not say whether the stage is deployed */
async function whyNone(stage: Stage): Promise<string | undefined> {
  if (stage.canaryMinutes === undefined) return `stage ${stage.name} has no canary`;
  const stack = await describeStack(stage).catch(failed('Nothing was deployed'));
  if (stack === undefined) return `stage ${stage.name} is not deployed yet`;
  return SERVING.includes(stack.status) ? undefined : `the stack is ${stack.status}`;
}

/** Cases of the contract that may be repeated for as long as a deployment takes: none is large, stores a plant or has an invalid token. */
const REFUSALS = ['a single opening brace is refused', 'an empty object is refused', 'text/plain is refused'];

/**
 * Makes the same checks again and again, until the deployment is over. Prints each failure, with the command that finds its cause.
 * @param over aborted when the deployment is over
 * @param stage its name, for the command
 */
export async function checkUntil(
  over: AbortSignal,
  service: RunningService,
  stage: string,
  pause = PAUSE_MS,
) {
  const counts = { held: 0, failures: 0, throttled: 0 };
  const cases = caseChecks({ write: false, everyId: false });
  const all = [...plantChecks(), ...cases.filter(({ rule }) => REFUSALS.includes(rule))];
  for (let n = 0; !over.aborted; n += 1) {
    const time = new Date().toISOString().slice(11, 19);
    const [result] = await runChecks([all[n % all.length] as Check], service, () => undefined);
    if (result?.verdict === 'held') counts.held += 1;
    else if (result?.verdict === 'not judged') counts.throttled += 1;
    else if (result) {
      counts.failures += 1;
      const said = oneLine(`${time} ${result.rule}: ${result.reasons.join('; ')}`);
      // The response may come from anyone, and the id becomes a part of a command.
      const [, id] = /\(request ([\w-]{1,128})\)/.exec(said) ?? [];
      const command = `npm run logs -- --stage ${stage} --query request --request ${id}`;
      print(id ? `${said}\n  ${command}` : said);
    }
    await sleep(pause, undefined, { signal: over }).catch(() => undefined);
  }
  return counts;
}

/**
 * Does what `npm run deploy` does for a stage.
 * @param interrupted nothing is started after its abort; a deployment that runs is told of it
 * @returns whether it succeeded
 * @throws PlainError if it was interrupted, or the CDK cannot be started
 */
async function deploy(stage: Stage, options: readonly string[], interrupted: AbortSignal): Promise<boolean> {
  const approval = ['--require-approval', 'never'];
  // Lines, not a bar that is drawn anew: other lines are printed meanwhile.
  const words = ['deploy', ...approval, '-c', `stage=${stage.name}`, '--progress', 'events', ...options];
  interrupted.throwIfAborted();
  // Not npm: it passes a signal on to its shell only, and the CDK would go on.
  const child = spawn('cdk', words, { stdio: 'inherit', shell: process.platform === 'win32' });
  interrupted.addEventListener('abort', () => void child.kill());
  const [code] = await once(child, 'close').catch((error) => {
    throw new PlainError(`The CDK cannot be started: ${error.message}; use npm run canary, which finds it.`);
  });
  // CloudFormation does not notice that the CDK has ended.
  if (code !== 0 && interrupted.aborted)
    throw new PlainError(
      `Interrupted: cdk deploy had started and has ended. What CloudFormation has begun goes on: npm run doctor -- --stage ${stage.name} ` +
        'shows its state, docs/deploy.md#roll-back-a-deployment how to stop it.',
    );
  return code === 0;
}
