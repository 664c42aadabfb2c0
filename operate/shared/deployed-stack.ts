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
import { hasOwnTokens } from '../../infra/optional-code.ts';
import { OUTPUTS, stackName } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { type ClientSettings, clientSettings, failed } from './aws.ts';

/** CloudFormation, in the Region of a stage. */
export function cloudFormation(stage: Stage): CloudFormationClient {
  return new CloudFormationClient(clientSettings(stage));
}

/** The states of a stack that serves requests and can be updated. */
export const SERVING = new Set<string | undefined>([
  'CREATE_COMPLETE',
  'UPDATE_COMPLETE',
  'UPDATE_ROLLBACK_COMPLETE',
]);

/** A deployed stack, as CloudFormation describes it. */
export type DeployedStack = ReturnType<typeof deployedAs>;

function deployedAs(stage: Stage, client: CloudFormationClient, described: Stack) {
  const name = stackName(stage.name);
  let reading: Promise<ListStackResourcesCommandOutput[]> | undefined;
  /** The stack's resources of a type, such as `AWS::Lambda::Function`; all are read once. @throws the SDK's error if the call fails */
  const resources = async (type: string) => {
    reading ??= Array.fromAsync(paginateListStackResources({ client }, { StackName: name }));
    const all = (await reading).flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
    return all.filter(({ ResourceType }) => ResourceType === type);
  };
  return {
    /** The name of the stage. */
    stage: stage.name,
    name,
    /** For other clients, which look at this stack's resources. */
    settings: clientSettings(stage),
    client,
    /** CloudFormation's status, such as `UPDATE_COMPLETE`. */
    status: String(described.StackStatus),
    /** Whether it has termination protection; undefined if CloudFormation did not say. */
    isProtected: described.EnableTerminationProtection,
    /** The account of its ARN, arn:PARTITION:cloudformation:REGION:ACCOUNT:stack/…; undefined if CloudFormation gave none. */
    account: described.StackId?.split(':')[4],
    resources,
    /** Whether the stage issues access tokens. */
    hasOwnTokens: hasOwnTokens(stage),
    /** The table of access tokens. @throws PlainError if the stage has none */
    accessTokensTable(): string {
      if (hasOwnTokens(stage)) return this.output(OUTPUTS.accessTokensTable);
      throw new PlainError(
        `Stage ${stage.name} issues no access tokens: its setting says that others are accepted instead.`,
      );
    },
    /** @throws PlainError if the stack has no such output */
    output(key: string): string {
      const value = described.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
      if (value) return value;
      throw new PlainError(`The stack ${name} has no output ${key}; deploy it again.`);
    },
    /**
     * The physical id of a resource, which is what `Ref` gives in a template.
     * @param id its logical id, to which the CDK adds eight digits in a stack that is no NamedStack
     * @throws PlainError if the stack has no such resource; the SDK's error if the call fails
     */
    async physicalId(type: string, id: string): Promise<string> {
      const all = await resources(type);
      const found = all.find(
        ({ LogicalResourceId }) => LogicalResourceId?.replace(/[0-9A-F]{8}$/, '') === id,
      );
      if (found?.PhysicalResourceId) return found.PhysicalResourceId;
      throw new PlainError(`The stack ${name} has no ${type} ${id}; deploy it again.`);
    },
  };
}

/**
 * Finds the stack of a stage, with the credentials of the environment, as the AWS CLI uses them.
 * @returns undefined if the stage is not deployed
 * @throws PlainError if it belongs to another account, or AWS denies the request
 */
export async function findStack(stage: Stage, client = cloudFormation(stage)) {
  const name = stackName(stage.name);
  const unknown = failed(`The stack ${name} cannot be looked up`);
  const command = new DescribeStacksCommand({ StackName: name });
  const reply = await client.send(command).catch(ifMissing).catch(unknown);
  if (reply && !reply.Stacks) return unknown(new Error("CloudFormation's response has no stacks"));
  // The status of a stack for which only a change set was created.
  const found = reply?.Stacks?.find(({ StackStatus }) => StackStatus !== 'REVIEW_IN_PROGRESS');
  const stack = found && deployedAs(stage, client, found);
  // Another account has no such stack, which would look like a stage that is not deployed.
  if (stage.account !== undefined)
    refuseOtherAccount(
      stage,
      stack?.account ?? (await readCaller(clientSettings(stage)).catch(unknown)).account,
    );
  return stack;
}

/** The stack of a stage, as {@link findStack}. @throws PlainError also if the stage is not deployed */
export async function deployedStack(stage: Stage, client?: CloudFormationClient): Promise<DeployedStack> {
  const stack = await findStack(stage, client);
  if (stack) return stack;
  throw new PlainError(`The stack ${stackName(stage.name)} does not exist in this account and Region.`);
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
function ifMissing(error: unknown): undefined {
  const isMissing =
    error instanceof CloudFormationServiceException &&
    error.name === 'ValidationError' &&
    error.message.endsWith('does not exist');
  if (!isMissing) throw error;
}
