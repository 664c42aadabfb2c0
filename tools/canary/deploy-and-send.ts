import type { Stage } from '../../infra/stage-settings.ts';
import { print } from '../../terminal/print.ts';
import { failed } from '../stage/aws.ts';
import { deployedStack, describeStack } from '../stage/deployed-stack.ts';
import { withStageToken } from '../token/stage-access.ts';
import { deploy } from './deployment.ts';
import { FunctionLog } from './function-log.ts';
import { sendUntil } from './send-until.ts';
import { Traffic } from './traffic.ts';

/** The states of a stack that serves requests and can be updated. */
const SERVING = ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'];

const notDeployed = failed('Nothing was deployed');

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
  const log = await FunctionLog.of(await deployedStack(stage)).catch(notDeployed);
  const traffic = await Traffic.of(log).catch(notDeployed);
  let isGood = false;
  await withStageToken(stage, async (baseUrl, token) => {
    const over = new AbortController();
    const sending = sendUntil(over.signal, { baseUrl, token, log, traffic });
    // Nothing that happens to the requests may end the deployment.
    sending.catch(() => undefined);
    const isDeployed = await deploy(stage.name, options).finally(() => over.abort());
    const failures = await sending;
    print(`The deployment has ${isDeployed ? 'succeeded' : 'failed'}. Failures of the service: ${failures}.`);
    isGood = isDeployed && failures === 0;
  });
  return isGood;
}

/** Why no requests are sent. @throws PlainError if AWS does not say whether the stage is deployed */
async function whyNone(stage: Stage): Promise<string | undefined> {
  if (stage.canaryMinutes === undefined) return `stage ${stage.name} has no canary`;
  const stack = await describeStack(stage).catch(notDeployed);
  if (stack === undefined) return `stage ${stage.name} is not deployed yet`;
  return SERVING.includes(stack.status) ? undefined : `the stack is ${stack.status}`;
}
