import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { stackName } from '../infra/names.ts';
import type { Stage } from '../infra/stage-settings.ts';
import { PlainError } from '../local/plain-error.ts';
import { type ClientSettings, clientSettings } from './aws.ts';

/** A deployed stack, as CloudFormation describes it. */
export class DeployedStack {
  readonly name: string;
  /** CloudFormation's status, such as `UPDATE_COMPLETE`. */
  readonly status: string;
  /** The account that it is in; undefined if CloudFormation gave no ARN. */
  readonly account: string | undefined;
  /** For other clients that look at this stack's resources. */
  readonly settings: ClientSettings;
  readonly #outputs: NonNullable<Stack['Outputs']>;
  #resources: Promise<StackResourceSummary[]> | undefined;

  constructor(name: string, settings: ClientSettings, { StackId, StackStatus, Outputs = [] }: Stack) {
    this.name = name;
    this.settings = settings;
    // arn:PARTITION:cloudformation:REGION:ACCOUNT:stack/…
    this.account = StackId?.split(':')[4];
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
    this.#resources ??= listResources(this.name, this.settings);
    const found = (await this.#resources).find(
      ({ ResourceType, LogicalResourceId }) =>
        ResourceType === type && LogicalResourceId?.startsWith(idStart),
    );
    if (found?.PhysicalResourceId) return found.PhysicalResourceId;
    throw new PlainError(`The stack ${this.name} has no ${type}; deploy it again.`);
  }
}

/**
 * Asks CloudFormation about the stack of a stage.
 * @returns undefined if it does not exist
 * @throws the SDK's error if the call fails
 */
export async function describeStack(stage: Stage): Promise<DeployedStack | undefined> {
  const name = stackName(stage.name);
  const settings = clientSettings(stage);
  const client = new CloudFormationClient(settings);
  try {
    const { Stacks: [found] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    // The status of a stack for which only a change set was created.
    return found && found.StackStatus !== 'REVIEW_IN_PROGRESS'
      ? new DeployedStack(name, settings, found)
      : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

/** CloudFormation's error for a stack that does not exist differs from others only by its message. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof CloudFormationServiceException &&
    error.name === 'ValidationError' &&
    error.message.endsWith('does not exist')
  );
}

async function listResources(stack: string, settings: ClientSettings): Promise<StackResourceSummary[]> {
  const client = new CloudFormationClient(settings);
  const pages = paginateListStackResources({ client }, { StackName: stack });
  const resources: StackResourceSummary[] = [];
  for await (const page of pages) resources.push(...(page.StackResourceSummaries ?? []));
  return resources;
}
