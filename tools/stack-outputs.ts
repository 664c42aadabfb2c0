import { CloudFormationClient, DescribeStacksCommand, type Output } from '@aws-sdk/client-cloudformation';
import { OUTPUTS, stackName } from '../infra/names.ts';
import { STAGES } from '../infra/stages.ts';
import { PlainError } from '../local/plain-error.ts';

/**
 * Finds the table of access tokens of a deployed stage in its stack's outputs, with the credentials and the Region of
 * the environment, like the AWS CLI.
 * @throws PlainError if the stage does not exist or is not deployed, or AWS denies the request
 */
export async function deployedAccessTokensTable(stage: string): Promise<string> {
  const known = Object.values(STAGES).find(({ name }) => name === stage);
  if (!known) {
    throw new PlainError(`Unknown stage "${stage}"; choose one of: ${Object.keys(STAGES).join(', ')}.`);
  }
  const stack = stackName(known.name);
  const outputs = await stackOutputs(stack);
  const table = outputs.find(({ OutputKey }) => OutputKey === OUTPUTS.accessTokensTable)?.OutputValue;
  if (!table)
    throw new PlainError(`The stack ${stack} has no output for the table of access tokens; deploy it again.`);
  return table;
}

async function stackOutputs(stack: string): Promise<Output[]> {
  const client = new CloudFormationClient();
  try {
    const { Stacks: [found] = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    return found?.Outputs ?? [];
  } catch (error) {
    throw new PlainError(`The stack ${stack} cannot be looked up: ${(error as Error).message}`);
  } finally {
    client.destroy();
  }
}
