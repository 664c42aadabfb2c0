import { Aws, CfnOutput } from 'aws-cdk-lib';
import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { makeAlarms } from './alarms.ts';
import { type Api, makeApi } from './api.ts';
import { deployByCanary, deployWithoutCodeDeploy } from './canary.ts';
import { makeDashboard } from './dashboard.ts';
import { addDomain } from './domain.ts';
import { addFirewall } from './firewall.ts';
import { makeFunction } from './function.ts';
import { findKey } from './key.ts';
import { makeMetrics } from './metrics.ts';
import { NamedStack } from './named-stack.ts';
import { inPascalCase, OUTPUTS, queryFolder, stackName } from './names.ts';
import { QUERIES } from './queries.ts';
import type { Stage } from './stage-settings.ts';
import { TAGS } from './stages.ts';
import { makeTables, type Tables } from './tables.ts';
import { UNKNOWN, type WorkingCopy } from './working-copy.ts';

/** What belongs to one deployment of a stage. */
export interface Deployment {
  /** What is deployed. */
  readonly source?: WorkingCopy;
  /** The folder of the bundle; absent: the template is only read, never deployed. */
  readonly bundle?: string;
  /** Whether CodeDeploy moves the alias, by canary if the stage has one. */
  readonly usesCodeDeploy?: boolean;
}

/** One stage of the Plant Store: a list of its parts. */
export class PlantStoreStack extends NamedStack {
  constructor(
    scope: Construct,
    stage: Stage,
    { source = UNKNOWN, bundle, usesCodeDeploy = true }: Deployment = {},
  ) {
    super(scope, stackName(stage.name), {
      env: { account: stage.account, region: stage.region },
      description: `Plant Store ${stage.name}`,
      terminationProtection: stage.isProtected,
      tags: { ...TAGS, service: 'plant-store', stage: stage.name },
    });
    const key = findKey(this, stage);
    const tables = makeTables(this, stage, key);
    const plantFunction = makeFunction(this, stage, tables, { source, bundle, key });
    const api = makeApi(this, stage, plantFunction.alias, key);
    addDomain(this, stage, api);
    addFirewall(this, stage, api);
    saveQueries(this, stage, { function: plantFunction.logGroup, gateway: api.logGroup });
    const metrics = makeMetrics(this, stage, { tables, plantFunction, api });
    const alarms = makeAlarms(this, stage, metrics, key);
    deployByCanary(this, stage, plantFunction.alias, alarms);
    if (!usesCodeDeploy) deployWithoutCodeDeploy(plantFunction.alias);
    makeDashboard(this, stage, metrics, alarms);
    addOutputs(this, stage, { tables, api });
  }
}

/** Saves the queries in the folder of the stage: `npm run logs` and the CloudWatch console run them. */
function saveQueries(
  scope: Construct,
  stage: Stage,
  groups: Record<'function' | 'gateway', ILogGroup>,
): void {
  for (const [name, { logs, commands, parameter }] of Object.entries(QUERIES)) {
    new CfnQueryDefinition(scope, `${inPascalCase(name)}Query`, {
      name: queryFolder(stage.name) + name,
      logGroupNames: logs.map((log) => groups[log].logGroupName),
      queryString: commands.join('\n| '),
      ...(parameter && { parameters: [parameter] }),
    });
  }
}

/** `cdk deploy` prints the outputs. */
function addOutputs(scope: Construct, stage: Stage, { tables, api }: { tables: Tables; api: Api }): void {
  // The name with an endpoint needs no private DNS (API Gateway Developer Guide, "Invoke a private API using a Route53 alias").
  const id = [api.rest.restApiId, ...(stage.vpcEndpoints ?? []).slice(0, 1)].join('-');
  const gateway = `${id}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stage.name}`;
  const output = (id: string, description: string, value: string) =>
    new CfnOutput(scope, id, { description, value });
  const { baseUrl, plantsTable, accessTokensTable, firstToken } = OUTPUTS;
  output(
    baseUrl,
    'The base URL for clients: POST {BaseUrl}/plants',
    `https://${stage.domain?.name ?? gateway}`,
  );
  output(plantsTable, 'The table of plants', tables.plants.tableName);
  output(accessTokensTable, "The table of access tokens' digests", tables.accessTokens.tableName);
  output(firstToken, 'Issues the first access token', `npm run token -- issue first --stage ${stage.name}`);
}
