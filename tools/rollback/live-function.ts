import { CodeDeployClient, type DeploymentStatus, paginateListDeployments } from '@aws-sdk/client-codedeploy';
import {
  type AliasConfiguration,
  type FunctionConfiguration,
  LambdaClient,
  paginateListAliases,
  paginateListVersionsByFunction,
} from '@aws-sdk/client-lambda';
import { parseAliasDescription } from '../../infra/alias-description.ts';
import { ALIAS } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { failed, readAll } from '../../operate/deployed/aws.ts';
import { type DeployedStack, deployedStack } from '../../operate/deployed/deployed-stack.ts';
import { PlainError } from '../../terminal/plain-error.ts';

const unchanged = failed('Nothing was changed');

/** The statuses of a deployment that may still move the alias. */
const UNDER_WAY: DeploymentStatus[] = ['Created', 'Queued', 'InProgress', 'Baking', 'Ready'];

/** The function of a stage: the alias that the gateway calls, and the versions that it can point at. */
export interface LiveFunction {
  readonly stack: DeployedStack;
  readonly functionName: string;
  readonly alias: AliasConfiguration;
  /** The versions that get requests, the alias's own first. */
  readonly serving: readonly string[];
  /** The alias's own version. */
  readonly current: FunctionConfiguration;
  /** The published versions, oldest first. */
  readonly versions: readonly FunctionConfiguration[];
  /** The versions that a rollback left. */
  readonly marked: ReadonlySet<string>;
}

/**
 * The alias that marks a version as left by a rollback. It is in no template, so no deployment changes it, and drift detection, which
 * sees the template's resources only, does not report it. Lambda refuses to delete a version to which an alias points (Lambda API
 * Reference, "DeleteFunction").
 */
export const markOf = (version: string) => `rolled-back-${version}`;

/** The versions that get requests from an alias: its own, and that of a canary. */
export function servingOf({ FunctionVersion = '', RoutingConfig }: AliasConfiguration): string[] {
  return [FunctionVersion, ...Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {})];
}

/**
 * Reads what a rollback needs to know of a stage's function; changes nothing.
 * @throws PlainError if a deployment is in progress, AWS denies a request, or does not say what was asked
 */
export async function readLiveFunction(stage: Stage): Promise<LiveFunction> {
  const stack = await deployedStack(stage);
  await refuseDuringDeployment(stack).catch(unchanged);
  return readFunction(stack).catch(unchanged);
}

async function readFunction(stack: DeployedStack): Promise<LiveFunction> {
  const client = new LambdaClient(stack.settings);
  const functionName = await stack.physicalId('AWS::Lambda::Function');
  const input = { FunctionName: functionName };
  const aliases = await readAll(paginateListAliases({ client }, input), ({ Aliases }) => Aliases);
  const versions = (
    await readAll(paginateListVersionsByFunction({ client }, input), ({ Versions }) => Versions)
  )
    .filter(({ Version }) => Version !== '$LATEST')
    .sort((a, b) => Number(a.Version) - Number(b.Version));
  const alias = aliases.find(({ Name }) => Name === ALIAS);
  const current = versions.find(({ Version }) => Version === alias?.FunctionVersion);
  // Without a revision, Lambda would not refuse to move an alias that somebody else has moved.
  if (!alias?.FunctionVersion || !alias.RevisionId || !current)
    throw new PlainError(`Lambda does not show the alias ${ALIAS} with its version and revision.`);
  const { rolledBackFrom } = parseAliasDescription(alias.Description);
  const marked = new Set(
    aliases.flatMap(({ Name, FunctionVersion = '' }) =>
      Name === markOf(FunctionVersion) ? [FunctionVersion] : [],
    ),
  );
  // Here too until the next deployment, in case the mark could not be written.
  if (rolledBackFrom !== undefined) marked.add(rolledBackFrom);
  return { stack, functionName, alias, serving: servingOf(alias), current, versions, marked };
}

/** @throws PlainError with the command that ends the deployment */
async function refuseDuringDeployment(stack: DeployedStack): Promise<void> {
  const group = await stack.physicalId('AWS::CodeDeploy::DeploymentGroup');
  const pages = paginateListDeployments(
    { client: new CodeDeployClient(stack.settings) },
    {
      applicationName: await stack.physicalId('AWS::CodeDeploy::Application'),
      // `APPLICATION|GROUP` since both are its primary identifier (github.com/aws/aws-cdk, pull request 36994), before that
      // only `GROUP`.
      deploymentGroupName: group.slice(group.lastIndexOf('|') + 1),
      includeOnlyStatuses: UNDER_WAY,
    },
  );
  const [id] = await readAll(pages, ({ deployments }) => deployments ?? noList());
  if (id !== undefined)
    throw new PlainError(
      `CodeDeploy is moving the alias. To stop it and roll back: aws deploy stop-deployment --auto-rollback-enabled --deployment-id ${id}`,
    );
  if (!stack.status.endsWith('_IN_PROGRESS')) return;
  const cancel = `, or: aws cloudformation cancel-update-stack --stack-name ${stack.name}`;
  throw new PlainError(
    `the stack is ${stack.status}; wait until it has ended${stack.status === 'UPDATE_IN_PROGRESS' ? cancel : ''}`,
  );
}

/** AWS does not document that an empty list is left out (CodeDeploy API Reference, "ListDeployments"). */
function noList(): never {
  throw new PlainError('CodeDeploy does not say which deployments are in progress.');
}
