import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { QUERIES } from './queries.ts';
import { inPascalCase, queryFolder } from './stack-names.ts';
import type { Stage } from './stage-settings.ts';

/** Saves the queries in the folder of the stage: `npm run logs` and the CloudWatch console run them. */
export function saveQueries(
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
