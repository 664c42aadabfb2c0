import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { PlainError } from '../local/plain-error.ts';
import { CLIENT_SETTINGS } from './aws.ts';

/** A deployed stack, as CloudFormation describes it. */
export class DeployedStack {
  readonly name: string;
  /** CloudFormation's status, such as `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly #outputs: NonNullable<Stack['Outputs']>;
  #resources: Promise<StackResourceSummary[]> | undefined;

  constructor(name: string, { StackStatus, Outputs = [] }: Stack) {
    this.name = name;
    this.status = String(StackStatus);
    this.#outputs = Outputs;
  }

  /** @throws PlainError if the stack has no such output */
  output(key: string): string {
    const value = this.#outputs.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
    if (value) return value;
    throw new PlainError(`The stack ${this.name} has no output ${key}; deploy it again.`);
  }

  /**
   * The physical id of the stack's only resource of a type, which is what `Ref` gives in a template.
   * @param type such as `AWS::Lambda::Function`
   * @param idStart how its logical id begins, where the stack has several of the type
   * @throws PlainError if the stack has no such resource; the SDK's error if the call fails
   */
  async physicalId(type: string, idStart = ''): Promise<string> {
    this.#resources ??= listResources(this.name);
    const found = (await this.#resources).find(
      ({ ResourceType, LogicalResourceId }) =>
        ResourceType === type && LogicalResourceId?.startsWith(idStart),
    );
    if (found?.PhysicalResourceId) return found.PhysicalResourceId;
    throw new PlainError(`The stack ${this.name} has no ${type}; deploy it again.`);
  }
}

/**
 * Asks CloudFormation about a stack, with the credentials and the Region of the environment, like the AWS CLI.
 * @returns undefined if it does not exist
 * @throws the SDK's error if the call fails
 */
export async function describeStack(name: string): Promise<DeployedStack | undefined> {
  const client = new CloudFormationClient(CLIENT_SETTINGS);
  try {
    const { Stacks: [found] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    // The status of a stack whose first deployment was only previewed.
    return found && found.StackStatus !== 'REVIEW_IN_PROGRESS' ? new DeployedStack(name, found) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

/** CloudFormation's error for a stack that does not exist differs from others only by its message. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof CloudFormationServiceException &&
    error.name === 'ValidationError' &&
    error.message.endsWith('does not exist')
  );
}

async function listResources(stack: string): Promise<StackResourceSummary[]> {
  const client = new CloudFormationClient(CLIENT_SETTINGS);
  const pages = paginateListStackResources({ client }, { StackName: stack });
  const resources: StackResourceSummary[] = [];
  for await (const page of pages) resources.push(...(page.StackResourceSummaries ?? []));
  return resources;
}
