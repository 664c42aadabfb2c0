import { CfnOutput } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { makeAlarms } from './alarms.ts';
import { makeApi } from './api.ts';
import { deployByCanary, deployWithoutCodeDeploy } from './canary.ts';
import { ACCEPTED_FINDINGS, acknowledge } from './cdk-nag.ts';
import { makeDashboard } from './dashboard.ts';
import { addDomain } from './domain.ts';
import { baseUrlOf } from './endpoint.ts';
import { addFirewall } from './firewall.ts';
import { makeFunction } from './function.ts';
import { makeMetrics } from './metrics.ts';
import { NamedStack } from './named-stack.ts';
import { saveQueries } from './saved-queries.ts';
import { OUTPUTS, stackName } from './stack-names.ts';
import type { Stage } from './stage-settings.ts';
import { TAGS } from './stages.ts';
import { makeTables } from './tables.ts';
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
    acknowledge(this, ACCEPTED_FINDINGS);
    // Its policy is its owner's: this stack does not change it.
    const key = stage.keyArn === undefined ? undefined : Key.fromKeyArn(this, 'Key', stage.keyArn);
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
    const output = (id: string, description: string, value: string) =>
      new CfnOutput(this, id, { description, value });
    const { baseUrl, plantsTable, accessTokensTable, firstToken } = OUTPUTS;
    output(baseUrl, 'The base URL for clients: POST {BaseUrl}/plants', baseUrlOf(api.rest, stage));
    output(plantsTable, 'The table of plants', tables.plants.tableName);
    if (tables.accessTokens) {
      output(accessTokensTable, "The table of access tokens' digests", tables.accessTokens.tableName);
      output(
        firstToken,
        'Issues the first access token',
        `npm run token -- issue first --stage ${stage.name}`,
      );
    }
    output('ApiId', 'The id of the API', api.rest.restApiId);
    output('ApiStage', 'The stage of the API', api.rest.deploymentStage.stageName);
  }
}
