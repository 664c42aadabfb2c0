import { CloudFormationClient, GetTemplateCommand, paginateListStacks } from '@aws-sdk/client-cloudformation';
import { stackName } from '../../infra/names.ts';
import { PlainError } from '../../local/plain-error.ts';
import { clientSettings, explain } from '../aws.ts';
import { isMissing } from '../deployed-stack.ts';
import { parseTemplate, type Template } from './template.ts';

/**
 * Reads the template of a deployed stack, with the credentials of the environment.
 * @param region where; if absent, in the Region of the environment
 * @returns undefined if there is no such stack, or its first deployment was only previewed
 * @throws PlainError if AWS does not answer or denies the request
 */
export async function deployedTemplate(stack: string, region?: string): Promise<Template | undefined> {
  const client = new CloudFormationClient(clientSettings({ region }));
  try {
    const command = new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' });
    const { TemplateBody: body = '' } = await client.send(command);
    return body === '' ? undefined : parseTemplate(body, `The deployed template of ${stack}`);
  } catch (error) {
    if (error instanceof PlainError) throw error;
    if (isMissing(error)) return undefined;
    throw new PlainError(`The template of the stack ${stack} cannot be read: ${explain(error)}`);
  } finally {
    client.destroy();
  }
}

/**
 * The names of the stages that are deployed in the account and Region of the environment, by the names of their stacks.
 * Selecting by tags instead would need permission to read the outputs of every stack.
 * @throws PlainError if AWS does not answer or denies the request
 */
export async function deployedStages(): Promise<string[]> {
  const client = new CloudFormationClient(clientSettings({}));
  const prefix = stackName('');
  const stages: string[] = [];
  try {
    for await (const { StackSummaries = [] } of paginateListStacks({ client }, {})) {
      for (const { StackName: name = '', StackStatus: status } of StackSummaries) {
        // CloudFormation lists deleted stacks for 90 days.
        const isDeployed = name.startsWith(prefix) && status !== 'DELETE_COMPLETE';
        if (isDeployed && name !== stackName('pipeline')) stages.push(name.slice(prefix.length));
      }
    }
  } catch (error) {
    throw new PlainError(`The stacks cannot be listed: ${explain(error)}`);
  } finally {
    client.destroy();
  }
  return stages;
}
