import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  type ListStackResourcesCommandOutput,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { PlainError } from '../../cli/plain-error.ts';
import { stackName } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { type ClientSettings, clientSettings, failed } from './aws.ts';

/** A deployed stack, as CloudFormation describes it. */
export type DeployedStack = ReturnType<typeof deployedAs>;

/** @param settings for clients that look at this stack's resources */
function deployedAs(name: string, settings: ClientSettings, described: Stack) {
  let reading: Promise<ListStackResourcesCommandOutput[]> | undefined;
  /** The stack's resources of a type, such as `AWS::Lambda::Function`; all are read once. @throws the SDK's error if the call fails */
  const resources = async (type: string) => {
    reading ??= Array.fromAsync(
      paginateListStackResources({ client: new CloudFormationClient(settings) }, { StackName: name }),
    );
    const all = (await reading).flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
    return all.filter(({ ResourceType }) => ResourceType === type);
  };
  return {
    name,
    settings,
    /** CloudFormation's status, such as `UPDATE_COMPLETE`. */
    status: String(described.StackStatus),
    /** Whether it has termination protection; undefined if CloudFormation did not say. */
    isProtected: described.EnableTerminationProtection,
    /** The account of its ARN, arn:PARTITION:cloudformation:REGION:ACCOUNT:stack/…; undefined if CloudFormation gave none. */
    account: described.StackId?.split(':')[4],
    resources,
    /** @throws PlainError if the stack has no such output */
    output(key: string): string {
      const value = described.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
      if (value) return value;
      throw new PlainError(`The stack ${name} has no output ${key}; deploy it again.`);
    },
    /**
     * The physical id of the stack's only resource of a type, which is what `Ref` gives in a template.
     * @param idStart how its logical id begins, where the stack has several of the type
     * @throws PlainError if the stack has no such resource; the SDK's error if the call fails
     */
    async physicalId(type: string, idStart = ''): Promise<string> {
      const all = await resources(type);
      const found = all.find(({ LogicalResourceId }) => LogicalResourceId?.startsWith(idStart));
      if (found?.PhysicalResourceId) return found.PhysicalResourceId;
      throw new PlainError(`The stack ${name} has no ${type}; deploy it again.`);
    },
  };
}

/**
 * Asks CloudFormation about the stack of a stage.
 * @returns undefined if it does not exist
 * @throws the SDK's error if the call fails
 */
export async function describeStack(stage: Stage): Promise<DeployedStack | undefined> {
  const name = stackName(stage.name);
  const settings = clientSettings(stage);
  const command = new DescribeStacksCommand({ StackName: name });
  const reply = await new CloudFormationClient(settings).send(command).catch(ifMissing);
  if (reply && !reply.Stacks) throw new Error("CloudFormation's response has no stacks");
  const [found] = reply?.Stacks ?? [];
  // The status of a stack for which only a change set was created.
  if (!found || found.StackStatus === 'REVIEW_IN_PROGRESS') return undefined;
  return deployedAs(name, settings, found);
}

/**
 * The stack of a stage, with the credentials of the environment, as the AWS CLI uses them.
 * @throws PlainError if the stage is not deployed or belongs to another account, or AWS denies the request
 */
export async function deployedStack(stage: Stage): Promise<DeployedStack> {
  const name = stackName(stage.name);
  const stack = await describeStack(stage).catch(failed(`The stack ${name} cannot be looked up`));
  if (!stack) throw new PlainError(`The stack ${name} does not exist in this account and Region.`);
  if (stack.account !== undefined) refuseOtherAccount(stage, stack.account);
  return stack;
}

/**
 * Reads the caller's identity, which needs no permission (AWS STS API Reference, GetCallerIdentity).
 * @returns the account and the ARN of the credentials, and the Region where they are used
 * @throws the SDK's error if there are no valid credentials, no Region or no network
 */
export async function readCaller(settings: ClientSettings) {
  const client = new STSClient(settings);
  const region = await client.config.region();
  const { Account: account = '', Arn: arn = '' } = await client.send(new GetCallerIdentityCommand());
  return { account, region, arn };
}

/** @throws PlainError if the stage belongs to another account than that of the credentials */
export function refuseOtherAccount({ name, account }: Stage, found: string): void {
  if (account === undefined || account === found) return;
  throw new PlainError(
    `Stage ${name} belongs to account ${account}, but the credentials are for account ${found}.`,
  );
}

/**
 * Handles CloudFormation's error for a stack that does not exist, which differs from others only by its message.
 * @throws any other error
 */
export function ifMissing(error: unknown): undefined {
  const isMissing =
    error instanceof CloudFormationServiceException &&
    error.name === 'ValidationError' &&
    error.message.endsWith('does not exist');
  if (!isMissing) throw error;
}
