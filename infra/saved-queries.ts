import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Api } from './api.ts';
import type { PlantFunction } from './function.ts';
import { queryFolder } from './names.ts';
import { QUERIES } from './queries.ts';
import type { Stage } from './stage-settings.ts';

/** Saves the queries in the folder of the stage: `npm run logs` and the CloudWatch console run them. */
export function makeQueries(
  scope: Construct,
  stage: Stage,
  parts: { plantFunction: PlantFunction; api: Api },
) {
  const groups = { function: parts.plantFunction.logGroup, gateway: parts.api.logGroup };
  for (const [id, { name, logs, commands, parameter }] of Object.entries(QUERIES)) {
    new CfnQueryDefinition(scope, id, {
      name: queryFolder(stage.name) + name,
      logGroupNames: logs.map((log) => groups[log].logGroupName),
      queryString: commands.join('\n| '),
      ...(parameter && { parameters: [parameter] }),
    });
  }
}
