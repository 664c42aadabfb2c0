import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import type { Metrics } from './metrics.ts';
import { stackName } from './stack-names.ts';
import type { Stage } from './stage-settings.ts';

const FULL_WIDTH = 24;
const HALF_WIDTH = 12;

/** Makes the dashboard: whether the service is up, who is affected, why, and what it costs. */
export function makeDashboard(scope: Construct, stage: Stage, metrics: Metrics, alarms: Alarms): void {
  const status = new AlarmStatusWidget({ title: 'Alarms', alarms: Object.values(alarms), width: HALF_WIDTH });
  const graph = (title: string, names: (keyof Metrics)[], width = HALF_WIDTH) => {
    const left = names.flatMap((name) => metrics[name] ?? []);
    return new GraphWidget({ title, left, width, leftYAxis: { min: 0, showUnits: false } });
  };
  new Dashboard(scope, 'Dashboard', {
    dashboardName: stackName(stage.name),
    defaultInterval: Duration.hours(3),
    widgets: [
      heading('Is it up?'),
      [status, graph('Requests, responses, and plants accepted', ['requests', 'responded', 'accepted'])],
      heading('Who is affected?'),
      [
        graph('Every client: faults, store unavailable, all tokens unknown', [
          'faults',
          'unanswered',
          'unavailable',
          'gatewayErrors',
          'unknownTokens',
        ]),
        graph('Some clients: throttled, refused, tokens refused', ['throttled', 'refused', 'refusedTokens']),
        ...(stage.firewall ? [graph('Addresses: blocked by the firewall', ['blocked'], FULL_WIDTH)] : []),
      ],
      heading('Why?'),
      [
        graph('The function', ['functionErrors', 'functionThrottles', 'notCompleted', 'gatewayNotLogged']),
        graph('The tables, and requests that called one again', ['tableThrottles', 'tableErrors', 'retried']),
      ],
      [
        graph('Duration, 99th percentile, ms', ['functionDuration', 'latency']),
        graph('Duration, 90th percentile, ms', ['usualDuration']),
      ],
      heading('What does it cost?'),
      [
        graph('Function: invocations, and total milliseconds', ['invocations', 'functionTime']),
        graph('Tables: consumed units', ['writeUnits', 'tokenReadUnits']),
      ],
    ],
  });
}

function heading(question: string): IWidget[] {
  return [new TextWidget({ markdown: `# ${question}`, width: FULL_WIDTH, height: 1 })];
}
