import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import type { Metrics } from './metrics.ts';
import type { Stage } from './stage-settings.ts';

const FULL_WIDTH = 24;
const HALF_WIDTH = 12;

/** Makes the dashboard: whether the service is up, who is affected, why, and what it costs. */
export function makeDashboard(
  scope: Construct,
  stage: Stage,
  metrics: Metrics,
  alarms: Alarms,
): cloudwatch.Dashboard {
  return new cloudwatch.Dashboard(scope, 'Dashboard', {
    dashboardName: `PlantStore-${stage.name}`,
    defaultInterval: Duration.hours(3),
    widgets: [
      heading('Is it up?'),
      [
        new cloudwatch.AlarmStatusWidget({
          title: 'Alarms',
          alarms: Object.values(alarms),
          width: HALF_WIDTH,
        }),
        graph('Requests, answers, and plants stored', [metrics.requests, metrics.answered, metrics.created]),
      ],
      heading('Who is affected?'),
      [
        graph('Every client: faults, store unavailable', [
          metrics.faults,
          metrics.unavailable,
          metrics.gatewayErrors,
        ]),
        graph('Some clients: throttled, tokens refused', [metrics.throttled, metrics.refusedTokens]),
      ],
      heading('Why?'),
      [
        graph('The function', [metrics.functionErrors, metrics.functionThrottles, metrics.notCompleted]),
        graph('The tables', [metrics.tableThrottles, metrics.tableErrors]),
      ],
      [graph('Duration, 99th percentile, ms', [metrics.functionDuration, metrics.latency], FULL_WIDTH)],
      heading('What does it cost?'),
      [
        graph('Function: invocations, and total milliseconds', [metrics.invocations, metrics.functionTime]),
        graph('Tables: write units of plants, read units of access tokens', [
          metrics.writeUnits,
          metrics.readUnits,
        ]),
      ],
    ],
  });
}

function heading(question: string): cloudwatch.IWidget[] {
  return [new cloudwatch.TextWidget({ markdown: `# ${question}`, width: FULL_WIDTH, height: 1 })];
}

function graph(title: string, left: cloudwatch.IMetric[], width = HALF_WIDTH): cloudwatch.GraphWidget {
  return new cloudwatch.GraphWidget({ title, left, width, leftYAxis: { min: 0, showUnits: false } });
}
