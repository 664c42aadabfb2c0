import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { stackName } from '../../infra/names.ts';
import type { Stage } from '../../infra/stages.ts';
import { CLIENT_SETTINGS } from '../aws.ts';
import { describeStack } from '../deployed-stack.ts';
import type { Subject } from './question.ts';

/**
 * Asks who we are, which needs no permission, and thereby what the other questions are about.
 * @throws the SDK's error if there are no valid credentials, no Region or no network
 */
export async function subjectOf(stage: Stage): Promise<Subject & { readonly caller: string }> {
  const client = new STSClient(CLIENT_SETTINGS);
  const region = await client.config.region();
  const { Account: account = '', Arn: caller = '' } = await client.send(new GetCallerIdentityCommand());
  const name = stackName(stage.name);
  const stack = describeStack(name);
  // The questions that wait for it handle its failure, each for itself.
  stack.catch(() => undefined);
  const [, partition = 'aws'] = caller.split(':');
  return { stage, stackName: name, stack, account, region, partition, caller };
}
