import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { OUTPUTS, stackName } from '../infra/names.ts';
import type { Stage } from '../infra/stage-settings.ts';
import { PlainError } from '../local/plain-error.ts';

/**
 * Finds the table of access tokens of a deployed stage in its stack's outputs, with the credentials of the environment,
 * like the AWS CLI, in the stage's Region or else in that of the environment.
 * @throws PlainError if the stage is not deployed or is in another account, or AWS denies the request
 */
export async function deployedAccessTokensTable(stage: Stage): Promise<string> {
  const name = stackName(stage.name);
  const { Outputs: outputs = [], StackId: id = '' } = await describeStack(name, stage.region);
  // arn:PARTITION:cloudformation:REGION:ACCOUNT:stack/…
  const account = id.split(':')[4];
  if (stage.account !== undefined && account !== undefined && account !== stage.account)
    throw new PlainError(
      `Stage ${stage.name} belongs to account ${stage.account}, but the credentials are for account ${account}.`,
    );
  const table = outputs.find(({ OutputKey }) => OutputKey === OUTPUTS.accessTokensTable)?.OutputValue;
  if (!table)
    throw new PlainError(`The stack ${name} has no output for the table of access tokens; deploy it again.`);
  return table;
}

async function describeStack(name: string, region: string | undefined): Promise<Partial<Stack>> {
  const client = new CloudFormationClient({ region });
  try {
    const { Stacks: [found] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return found ?? {};
  } catch (error) {
    throw new PlainError(`The stack ${name} cannot be looked up: ${(error as Error).message}`);
  } finally {
    client.destroy();
  }
}
