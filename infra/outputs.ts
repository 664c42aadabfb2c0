import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Api } from './api.ts';
import { baseUrlOf } from './endpoint.ts';
import { OUTPUTS } from './stack-names.ts';
import type { Stage } from './stage-settings.ts';
import type { Tables } from './tables.ts';

/** `cdk deploy` prints the outputs. */
export function addOutputs(
  scope: Construct,
  stage: Stage,
  { tables, api }: { tables: Tables; api: Api },
): void {
  const output = (id: string, description: string, value: string) =>
    new CfnOutput(scope, id, { description, value });
  const { baseUrl, plantsTable, accessTokensTable, firstToken } = OUTPUTS;
  output(baseUrl, 'The base URL for clients: POST {BaseUrl}/plants', baseUrlOf(api.rest, stage));
  output(plantsTable, 'The table of plants', tables.plants.tableName);
  output(accessTokensTable, "The table of access tokens' digests", tables.accessTokens.tableName);
  output(firstToken, 'Issues the first access token', `npm run token -- issue first --stage ${stage.name}`);
}
