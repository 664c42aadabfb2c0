import type { Stage } from '../../../infra/stage-settings.ts';
import { type Json, only, resources, textOf } from '../synth.ts';
import { type Expression, expressionsIn, type Metric, metricsIn } from './metrics.ts';
import { differ, every, nameOf, type Policy, placeOf, withNames } from './policy.ts';

const DASHBOARD = 'AWS::CloudWatch::Dashboard';

/** Every widget from top to bottom: a heading, the alarms, or a graph with its metrics. */
function widgetsOf(stage: Stage, alarms: string[]) {
  const metrics = metricsIn(stage);
  const { unknownTokens, notCompleted, tableThrottles, tableErrors } = expressionsIn(stage);
  const { account: accountId, region } = placeOf(stage);
  const there = { accountId, region };
  const sums = (...names: (keyof typeof metrics)[]) => names.map((name) => sum(metrics[name]));
  const eachMinute = (metric: Metric) => sum(metric, { period: 60 });
  return [
    heading('Is it up?'),
    { type: 'alarm', properties: { title: 'Alarms', alarms } },
    graph('Requests, responses, and plants accepted', sums('requests', 'responded', 'accepted')),
    heading('Who is affected?'),
    graph('Every client: faults, store unavailable, all tokens unknown', [
      eachMinute(metrics.faults),
      ...sums('unavailable', 'gatewayErrors'),
      ...computed(unknownTokens),
    ]),
    graph('Some clients: throttled, tokens refused', sums('throttled', 'refusedTokens')),
    heading('Why?'),
    graph('The function', [
      eachMinute(metrics.functionErrors),
      ...sums('functionThrottles'),
      ...computed(notCompleted),
    ]),
    graph('The tables', [...computed(tableThrottles, there), ...computed(tableErrors, there)]),
    graph('Duration, 99th percentile, ms', [p99(metrics.functionDuration), p99(metrics.latency)]),
    heading('What does it cost?'),
    graph('Function: invocations, and total milliseconds', sums('invocations', 'functionTime')),
    graph('Tables: write units of plants, read units of access tokens', [
      sum(metrics.writeUnits, there),
      sum(metrics.readUnits, there),
    ]),
  ];
}

const sum = (metric: Metric, more?: object) => [...metric, { ...more, stat: 'Sum' }];
const p99 = (metric: Metric) => [...metric, { stat: 'p99' }];
const computed = ({ expression, label, parts }: Expression, more?: object) => [
  [{ expression, label }],
  ...Object.entries(parts).map(([id, metric]) => sum(metric, { ...more, id, visible: false })),
];

const heading = (question: string) => ({
  type: 'text',
  properties: { markdown: `# ${question}`, background: 'transparent' },
});

const graph = (title: string, metrics: Json[]) => ({
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
