import { Aws, CfnOutput } from 'aws-cdk-lib';
import type { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Api } from './api.ts';
import { OUTPUTS } from './output-names.ts';
import type { Stage } from './stages.ts';
import type { Tables } from './tables.ts';

/** Writes what a person needs after a deployment into the stack's outputs, and so onto the screen. */
export function addOutputs(
  scope: Construct,
  stage: Stage,
  parts: { tables: Tables; api: Api; dashboard: Dashboard },
): void {
  const { tables, api, dashboard } = parts;
  const output = (id: string, description: string, value: string) =>
    new CfnOutput(scope, id, { description, value });
  const gateway = `https://${api.rest.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stage.name}`;
  const baseUrl = stage.domain ? `https://${stage.domain.name}` : gateway;
  output(OUTPUTS.baseUrl, 'Where clients send their requests: POST {BaseUrl}/plants', baseUrl);
  output(OUTPUTS.plantsTable, 'The table of plants', tables.plants.tableName);
  output(OUTPUTS.accessTokensTable, "The table of access tokens' digests", tables.accessTokens.tableName);
  output(
    OUTPUTS.dashboard,
    'Is it up, who is hurt, why, what does it cost',
    `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards:name=${dashboard.dashboardName}`,
  );
  output(
    OUTPUTS.firstToken,
    'Issues the first access token',
    `npm run token -- issue first --stage ${stage.name}`,
  );
}
