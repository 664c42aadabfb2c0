import {
  CloudFormationClient,
  GetTemplateCommand,
  paginateDescribeStacks,
} from '@aws-sdk/client-cloudformation';
import { PlainError } from '../../local/plain-error.ts';
import { parseTemplate, type Template } from './template.ts';

/**
 * Reads the template of a deployed stack, with the credentials of the environment.
 * @param region where; if absent, in the Region of the environment
 * @returns undefined if there is no such stack
 * @throws PlainError if AWS does not answer or denies the request
 */
export async function deployedTemplate(stack: string, region?: string): Promise<Template | undefined> {
  const client = new CloudFormationClient({ region });
  try {
    const command = new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' });
    const { TemplateBody: body = '' } = await client.send(command);
    return parseTemplate(body, `The deployed template of ${stack}`);
  } catch (error) {
    if (error instanceof PlainError) throw error;
    const { name, message } = error as Error;
    if (name === 'ValidationError' && message.includes('does not exist')) return undefined;
    throw new PlainError(`The template of the stack ${stack} cannot be read: ${message}`);
  } finally {
    client.destroy();
  }
}

/**
 * The names of the stages that are deployed in the account and Region of the environment, by the tags of their stacks.
 * @throws PlainError if AWS does not answer or denies the request
 */
export async function deployedStages(): Promise<string[]> {
  const client = new CloudFormationClient();
  const names: string[] = [];
  try {
    for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) {
      for (const { Tags = [] } of Stacks) {
        const tags = new Map(Tags.map(({ Key, Value }) => [Key, Value]));
        const stage = tags.get('stage');
        if (tags.get('service') === 'plant-store' && stage !== undefined) names.push(stage);
      }
    }
  } catch (error) {
    throw new PlainError(`The stacks cannot be listed: ${(error as Error).message}`);
  } finally {
    client.destroy();
  }
  return names;
}
