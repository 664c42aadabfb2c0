import { CodeDeployClient, type DeploymentStatus, paginateListDeployments } from '@aws-sdk/client-codedeploy';
import {
  type AliasConfiguration,
  type FunctionConfiguration,
  GetAliasCommand,
  LambdaClient,
  paginateListVersionsByFunction,
} from '@aws-sdk/client-lambda';
import { type ClientSettings, failed, readAll } from '../../infra/deployed/aws.ts';
import { type DeployedStack, deployedStack } from '../../infra/deployed/deployed-stack.ts';
import { ALIAS } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { RUNBOOK } from './procedure.ts';

const unchanged = failed('Nothing was changed');

/** The statuses of a deployment that may still move the alias. */
const UNDER_WAY: DeploymentStatus[] = ['Created', 'Queued', 'InProgress', 'Baking', 'Ready'];

/** A rollback that is possible: the alias that the gateway calls, and the versions that it can point at. */
export interface RollbackPlan {
  readonly settings: ClientSettings;
  readonly functionName: string;
  readonly alias: AliasConfiguration;
  /** The share of requests, such as 0.1, that goes to each version other than the alias's own. */
  readonly weights: Readonly<Record<string, number>>;
  /** The published versions, oldest first. */
  readonly versions: readonly FunctionConfiguration[];
  /** The version that the alias is to point at. */
  readonly target: FunctionConfiguration;
}

type LiveAlias = Omit<RollbackPlan, 'target'>;

/**
 * Plans the rollback of a stage; changes nothing.
 * @param to the number of the version; if absent, the one before those that serve requests
 * @throws PlainError if a deployment is in progress, there is no such version, it would not work, or AWS denies a request
 */
export async function planRollback(stage: Stage, to?: string): Promise<RollbackPlan> {
  const stack = await deployedStack(stage);
  await refuseDuringDeployment(stack).catch(unchanged);
  const live = await readAlias(stack).catch(unchanged);
  return { ...live, target: chooseTarget(live, to) };
}

async function readAlias(stack: DeployedStack): Promise<LiveAlias> {
  const { settings } = stack;
  const client = new LambdaClient(settings);
  const functionName = await stack.physicalId('AWS::Lambda::Function');
  const alias = await client.send(new GetAliasCommand({ FunctionName: functionName, Name: ALIAS }));
  const pages = paginateListVersionsByFunction({ client }, { FunctionName: functionName });
  const versions = (await readAll(pages, ({ Versions }) => Versions))
    .filter(({ Version }) => Version !== '$LATEST')
    .sort((a, b) => Number(a.Version) - Number(b.Version));
  const weights = alias.RoutingConfig?.AdditionalVersionWeights ?? {};
  return { settings, functionName, alias, weights, versions };
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
  const [id] = await readAll(pages, ({ deployments }) => deployments);
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

/** @throws PlainError if there is no such version, it serves all requests already, or it would not work */
function chooseTarget({ alias, weights, versions }: LiveAlias, to?: string): FunctionConfiguration {
  const serving = [alias.FunctionVersion, ...Object.keys(weights)];
  const newest = Math.max(...serving.map(Number));
  const target = versions.findLast(({ Version }) => (to ? Version === to : Number(Version) < newest));
  const published = versions.map(({ Version }) => Version).join(', ');
  if (!target)
    throw new PlainError(
      `There is no ${to ? `version ${to}` : 'earlier version'}, only ${published}. Deploy the earlier commit: ${RUNBOOK}`,
    );
  if (serving.length === 1 && serving[0] === target.Version)
    throw new PlainError(`All requests go to version ${target.Version} already.`);
  const current = versions.find(({ Version }) => Version === alias.FunctionVersion);
  for (const version of [target, current ?? target]) refuseUnknownTables(version);
  const ofCurrent = current && surroundings(current);
  const different = ofCurrent && surroundings(target).find((each, n) => each !== ofCurrent[n]);
  if (different !== undefined)
    throw new PlainError(
      `Version ${target.Version} uses ${different}, which the current version does not. Deploy the earlier commit: ${RUNBOOK}`,
    );
  return target;
}

/** What a version keeps from its deployment: table names and the role, whose permissions are those of today. */
function surroundings({ Environment, Role }: FunctionConfiguration): (string | undefined)[] {
  const { [ENVIRONMENT.plantsTable]: plants, [ENVIRONMENT.accessTokensTable]: tokens } =
    Environment?.Variables ?? {};
  return [plants, tokens, Role];
}

/** @throws PlainError if Lambda could not decrypt the variables: it shows an error instead (API_EnvironmentResponse) */
function refuseUnknownTables(version: FunctionConfiguration): void {
  const [plants, tokens] = surroundings(version);
  if (plants !== undefined && tokens !== undefined) return;
  const { ErrorCode: code = 'no error', Message: message = 'no variables' } =
    version.Environment?.Error ?? {};
  throw new PlainError(
    `Lambda does not show the variables of version ${version.Version}, so its tables are not known (${code}: ${message}). Deploy the earlier commit: ${RUNBOOK}`,
  );
}
