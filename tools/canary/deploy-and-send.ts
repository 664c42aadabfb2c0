import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Stage } from '../../infra/stage-settings.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { print } from '../../terminal/print.ts';
import { failed as refused } from '../stage/aws.ts';
import { describeStack } from '../stage/deployed-stack.ts';
import { withStageToken } from '../token/stage-access.ts';
import { sendUntil } from './send-until.ts';

/** The states of a stack that serves requests and can be updated. */
const SERVING = ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'];

const notDeployed = refused('Nothing was deployed');

/**
 * Deploys a stage, and sends it requests until the deployment is over, if it has a canary and is deployed already.
 * @param options more options of `cdk deploy`
 * @returns whether the deployment succeeded, and no request failed
 * @throws PlainError if the requests cannot be prepared: nothing is deployed then
 */
export async function deployAndSend(stage: Stage, options: readonly string[]): Promise<boolean> {
  const reason = await whyNone(stage);
  if (reason !== undefined) {
    print(`No requests are sent: ${reason}.`);
    return deploy(stage.name, options);
  }
  return withStageToken(stage, async (baseUrl, token) => {
    const over = new AbortController();
    const sending = sendUntil(over.signal, { stage: stage.name, baseUrl, token });
    // Nothing that happens to the requests may end the deployment.
    sending.catch(() => undefined);
    const isDeployed = await deploy(stage.name, options).finally(() => over.abort());
    const { sent, failed } = await sending;
    print(
      `The deployment has ${isDeployed ? 'succeeded' : 'failed'}. Requests: ${sent}; failures: ${failed}.`,
    );
    return isDeployed && failed === 0;
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
 * Runs `npm run deploy` for a stage. CloudFormation goes on if the process ends early.
 * @param options more options of `cdk deploy`
 * @returns whether it succeeded
 * @throws PlainError if npm cannot be started
 */
async function deploy(stage: string, options: readonly string[]): Promise<boolean> {
  // Lines, not a bar that is drawn anew: other lines are printed meanwhile.
  const words = ['run', 'deploy', '--', '-c', `stage=${stage}`, '--progress', 'events', ...options];
  const child = spawn('npm', words, { stdio: 'inherit', shell: process.platform === 'win32' });
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const [code] = await once(child, 'close').catch((error) => {
    throw new PlainError(`npm cannot be started: ${error.message}`);
  });
  process.off('SIGINT', forward).off('SIGTERM', forward);
  return code === 0;
}
