import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { makeAlarms } from './alarms.ts';
import { makeApi } from './api.ts';
import { makeDashboard } from './dashboard.ts';
import { deploySafely } from './deployment.ts';
import { addDomain } from './domain.ts';
import { addFirewall } from './firewall.ts';
import { makeFunction } from './function.ts';
import { makeMetrics } from './metrics.ts';
import { addOutputs } from './outputs.ts';
import { type Stage, stackName } from './stages.ts';
import { makeTables } from './tables.ts';

/** One stage of the Plant Store: a list of its parts. */
export class PlantStoreStack extends Stack {
  constructor(scope: Construct, stage: Stage) {
    super(scope, stackName(stage.name), {
      description: `Plant Store 1.0.0, stage ${stage.name}`,
      terminationProtection: stage.isProtected,
      tags: { service: 'plant-store', stage: stage.name },
    });
    const tables = makeTables(this, stage);
    const plantFunction = makeFunction(this, stage, tables);
    const api = makeApi(this, stage, plantFunction.alias);
    addDomain(this, stage, api);
    addFirewall(this, stage, api);
    const metrics = makeMetrics(this, stage, { tables, plantFunction, api });
    const alarms = makeAlarms(this, stage, metrics);
    deploySafely(this, stage, plantFunction.alias, alarms);
    const dashboard = makeDashboard(this, stage, metrics, alarms);
    addOutputs(this, stage, { tables, api, dashboard });
  }
}
