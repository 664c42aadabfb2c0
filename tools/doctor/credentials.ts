import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { stackName } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { clientSettings } from '../aws.ts';
import { describeStack } from '../deployed-stack.ts';
import { refuseOtherAccount } from '../stack-outputs.ts';
import type { Subject } from './question.ts';

/**
 * Asks who we are, which needs no permission, and thereby what the other questions are about.
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
  // The questions that wait for it handle its failure, each for itself.
  stack.catch(() => undefined);
  const [, partition = 'aws'] = caller.split(':');
  return { stage, stackName: stackName(stage.name), stack, settings, account, region, partition, caller };
}
