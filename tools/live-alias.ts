import { CodeDeployClient, type DeploymentStatus, paginateListDeployments } from '@aws-sdk/client-codedeploy';
import {
  type AliasConfiguration,
  type FunctionConfiguration,
  GetAliasCommand,
  LambdaClient,
  paginateListVersionsByFunction,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { ALIAS } from '../infra/names.ts';
import type { ClientSettings } from './aws.ts';
import type { DeployedStack } from './deployed-stack.ts';

/** The statuses of a deployment that may still move the alias. */
const UNDER_WAY: DeploymentStatus[] = ['Created', 'Queued', 'InProgress', 'Baking', 'Ready'];

/** The alias that the gateway calls, and the versions that it can point at. */
export interface LiveAlias {
  readonly functionName: string;
  readonly alias: AliasConfiguration;
  /** The published versions, oldest first. */
  readonly versions: readonly FunctionConfiguration[];
}

/** Reads the alias and the versions of a stage's function. @throws the SDK's error if a call fails */
export async function readAlias(stack: DeployedStack): Promise<LiveAlias> {
  const client = new LambdaClient(stack.settings);
  const functionName = await stack.physicalId('AWS::Lambda::Function');
  const alias = await client.send(new GetAliasCommand({ FunctionName: functionName, Name: ALIAS }));
  const versions: FunctionConfiguration[] = [];
  for await (const page of paginateListVersionsByFunction({ client }, { FunctionName: functionName }))
    versions.push(...(page.Versions ?? []));
  return {
    functionName,
    alias,
    versions: versions
      .filter(({ Version }) => Version !== '$LATEST')
      .sort((a, b) => Number(a.Version) - Number(b.Version)),
  };
}

/**
 * The ids of CodeDeploy's deployments of the alias that have not ended.
 * @throws the SDK's error if a call fails
 */
export async function deploymentsUnderWay(stack: DeployedStack): Promise<string[]> {
  const asked = {
    applicationName: await stack.physicalId('AWS::CodeDeploy::Application'),
    deploymentGroupName: await stack.physicalId('AWS::CodeDeploy::DeploymentGroup'),
    includeOnlyStatuses: UNDER_WAY,
  };
  const ids: string[] = [];
  const client = new CodeDeployClient(stack.settings);
  for await (const page of paginateListDeployments({ client }, asked)) ids.push(...(page.deployments ?? []));
  return ids;
}

/**
 * Points the alias at one version, for all requests.
 * @throws the SDK's error if the call fails, or if somebody has changed the alias since it was read
 */
export async function pointAlias(
  settings: ClientSettings,
  { functionName, alias }: LiveAlias,
  version: string,
): Promise<void> {
  await new LambdaClient(settings).send(
    new UpdateAliasCommand({
      FunctionName: functionName,
      Name: alias.Name,
      FunctionVersion: version,
      // Otherwise, some requests would still go to the version of a stopped canary.
      RoutingConfig: { AdditionalVersionWeights: {} },
      RevisionId: alias.RevisionId,
    }),
  );
}
