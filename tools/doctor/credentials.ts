import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { stackName } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { clientSettings } from '../aws.ts';
import { describeStack } from '../deployed-stack.ts';
import { refuseOtherAccount } from '../stack-outputs.ts';
import type { Subject } from './question.ts';

/**
 * Reads the caller's identity, which needs no permission, and with it the subject of the other questions.
 * @throws the SDK's error if there are no valid credentials, no Region or no network; PlainError if they are for another
 *   account than the stage's
 */
export async function subjectOf(stage: Stage): Promise<Subject & { readonly caller: string }> {
  const settings = clientSettings(stage);
  const client = new STSClient(settings);
  const region = await client.config.region();
  const { Account: account = '', Arn: caller = '' } = await client.send(new GetCallerIdentityCommand());
  refuseOtherAccount(stage, account);
  const stack = describeStack(stage);
  // Each question that waits for it handles its failure.
  stack.catch(() => undefined);
  const [, partition = 'aws'] = caller.split(':');
  return { stage, stackName: stackName(stage.name), stack, settings, account, region, partition, caller };
}
