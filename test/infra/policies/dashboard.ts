import type { Stage } from '../../../infra/stage-settings.ts';
import { type Json, only, resources, textOf } from '../synth.ts';
import { type Metric, metricsIn, NOT_COMPLETED, TABLE_ERRORS, TABLE_THROTTLES } from './metrics.ts';
import { differ, every, nameOf, type Policy, placeOf, withNames } from './policy.ts';

const DASHBOARD = 'AWS::CloudWatch::Dashboard';

type Options = Readonly<Record<string, unknown>>;

/** Every widget from top to bottom: a heading, the alarms, or a graph with its metrics. */
function widgetsOf(stage: Stage, alarms: string[]) {
  const metrics = metricsIn(stage);
  const part = (id: string, metric: Metric, more?: Options) => sum(metric, { ...more, id, visible: false });
  const { account: accountId, region } = placeOf(stage);
  const there = { accountId, region };
  return [
    heading('Is it up?'),
    { type: 'alarm', properties: { title: 'Alarms', alarms } },
    graph(
      'Requests, answers, and plants accepted',
      sum(metrics.requests),
      sum(metrics.answered),
      sum(metrics.accepted),
    ),
    heading('Who is affected?'),
    graph(
      'Every client: faults, store unavailable',
      sum(metrics.faults, EACH_MINUTE),
      sum(metrics.unavailable),
      sum(metrics.gatewayErrors),
    ),
    graph('Some clients: throttled, tokens refused', sum(metrics.throttled), sum(metrics.refusedTokens)),
    heading('Why?'),
    graph(
      'The function',
      sum(metrics.functionErrors, EACH_MINUTE),
      sum(metrics.functionThrottles),
      result(NOT_COMPLETED, 'Requests without a log line'),
      part('invocations', metrics.invocations),
      part('answered', metrics.answered),
    ),
    graph(
      'The tables',
      result(TABLE_THROTTLES, 'Calls refused by a table'),
      part('putThrottledRequests', metrics.putThrottles, there),
      part('getThrottledRequests', metrics.getThrottles, there),
      result(TABLE_ERRORS, 'Calls that failed in DynamoDB'),
      part('putSystemErrors', metrics.putErrors, there),
      part('getSystemErrors', metrics.getErrors, there),
    ),
    graph('Duration, 99th percentile, ms', p99(metrics.functionDuration), p99(metrics.latency)),
    heading('What does it cost?'),
    graph(
      'Function: invocations, and total milliseconds',
      sum(metrics.invocations),
      sum(metrics.functionTime),
    ),
    graph(
      'Tables: write units of plants, read units of access tokens',
      sum(metrics.writeUnits, there),
      sum(metrics.readUnits, there),
    ),
  ];
}

const EACH_MINUTE = { period: 60 };
const sum = (metric: Metric, more?: Options) => [...metric, { ...more, stat: 'Sum' }];
const p99 = (metric: Metric) => [...metric, { stat: 'p99' }];
const result = (expression: string, label: string) => [{ expression, label }];

const heading = (question: string) => ({
  type: 'text',
  properties: { markdown: `# ${question}`, background: 'transparent' },
});

const graph = (title: string, ...metrics: Json[]) => ({
  type: 'metric',
  properties: {
    title,
    metrics,
    region: '{AWS::Region}',
    view: 'timeSeries',
    yAxis: { left: { min: 0, showUnits: false } },
  },
});

export const dashboardPolicies: Policy[] = [
  {
    says: 'the dashboard shows, from top to bottom, availability, affected clients, causes and cost',
    violations: (synth) => {
      const alarms = resources(synth, 'AWS::CloudWatch::Alarm').map(([id]) => `{${nameOf(synth, id)}.Arn}`);
      const body = withNames(synth, textOf(only(synth, DASHBOARD).Properties.DashboardBody));
      const { widgets, ...others } = JSON.parse(body);
      // Not the place of a widget.
      const shown = widgets.map(({ x: _, y: __, width: ___, height: ____, ...widget }: Json) => widget);
      return [
        ...differ('widgets', shown, widgetsOf(synth.stage, alarms)),
        ...differ('dashboard', others, { start: '-PT3H' }),
        ...every(synth, DASHBOARD, ({ DashboardBody }) => ({
          DashboardBody,
          DashboardName: `PlantStore-${synth.stage.name}`,
        })),
      ];
    },
  },
];
