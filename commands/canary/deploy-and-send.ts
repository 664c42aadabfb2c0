import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { print } from '../../cli/print.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { failed as refused } from '../shared/aws.ts';
import { describeStack } from '../shared/deployed-stack.ts';
import { withStageToken } from '../shared/stage-access.ts';
import { sendUntil } from './send-until.ts';

/** The states of a stack that serves requests and can be updated. */
const SERVING = ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'];

const notDeployed = refused('Nothing was deployed');

/**
 * Deploys a stage, and sends it requests until the deployment is over, if it has a canary and is deployed already.
 * @param options more options of `cdk deploy`
 * @returns whether the deployment succeeded, no request failed, and not all were throttled, which would show nothing
 * @throws PlainError if the requests cannot be prepared, or a signal came before: nothing is deployed then; or if a signal came
 * later
 */
export async function deployAndSend(stage: Stage, options: readonly string[]): Promise<boolean> {
  const reason = await whyNone(stage);
  if (reason !== undefined) {
    print(`No requests are sent: ${reason}.`);
    return withInterrupt('Interrupted.', ({ signal }) => deploy(stage, options, signal));
  }
  return withStageToken(stage, async (baseUrl, token, interrupted) => {
    const over = new AbortController();
    const sending = sendUntil(over.signal, { stage: stage.name, baseUrl, token });
    // Nothing that happens to the requests may end the deployment.
    sending.catch(() => undefined);
    const isDeployed = await deploy(stage, options, interrupted).finally(() => over.abort());
    const { sent, failed, throttled } = await sending;
    print(
      `The deployment has ${isDeployed ? 'succeeded' : 'failed'}. Requests: ${sent}; failures: ${failed}; throttled: ${throttled}.`,
    );
    return isDeployed && failed === 0 && throttled < sent;
  });
}

/** Why no requests are sent. @throws PlainError if AWS does not say whether the stage is deployed */
async function whyNone(stage: Stage): Promise<string | undefined> {
  if (stage.canaryMinutes === undefined) return `stage ${stage.name} has no canary`;
  const stack = await describeStack(stage).catch(notDeployed);
  if (stack === undefined) return `stage ${stage.name} is not deployed yet`;
  return SERVING.includes(stack.status) ? undefined : `the stack is ${stack.status}`;
}

/**
 * Does what `npm run deploy` does for a stage.
 * @param options more options of `cdk deploy`
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
