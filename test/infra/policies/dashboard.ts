import type { Stage } from '../../../infra/stage-settings.ts';
import { type Json, only, resources, textOf } from '../synth.ts';
import { type Expression, expressionsIn, type Metric, metricsIn } from './metrics.ts';
import { differ, every, nameOf, type Policy, placeOf, withNames } from './policy.ts';

const DASHBOARD = 'AWS::CloudWatch::Dashboard';

/** Every widget from top to bottom, without its text: a heading, the alarms, or a graph with its metrics. */
function widgetsOf(stage: Stage, alarms: string[]) {
  const metrics = metricsIn(stage);
  const { unknownTokens, notCompleted, tableThrottles, tableErrors } = expressionsIn(stage);
  const { account: accountId, region } = placeOf(stage);
  const there = { accountId, region };
  const sums = (...names: (keyof typeof metrics)[]) => names.map((name) => sum(metrics[name]));
  const eachMinute = (metric: Metric) => sum(metric, { period: 60 });
  return [
    HEADING,
    { type: 'alarm', properties: { alarms } },
    graph(sums('requests', 'responded', 'accepted')),
    HEADING,
    graph([eachMinute(metrics.faults), ...sums('unavailable', 'gatewayErrors'), ...computed(unknownTokens)]),
    graph(sums('throttled', 'refusedTokens')),
    HEADING,
    graph([eachMinute(metrics.functionErrors), ...sums('functionThrottles'), ...computed(notCompleted)]),
    graph([...computed(tableThrottles, there), ...computed(tableErrors, there)]),
    graph([p99(metrics.functionDuration), p99(metrics.latency)]),
    HEADING,
    graph(sums('invocations', 'functionTime')),
    graph([sum(metrics.writeUnits, there), sum(metrics.readUnits, there)]),
  ];
}

const sum = (metric: Metric, more?: object) => [...metric, { ...more, stat: 'Sum' }];
const p99 = (metric: Metric) => [...metric, { stat: 'p99' }];
const computed = ({ expression, label, parts }: Expression, more?: object) => [
  [{ expression, label }],
  ...Object.entries(parts).map(([id, metric]) => sum(metric, { ...more, id, visible: false })),
];

const HEADING = { type: 'text', properties: { background: 'transparent' } };

const graph = (metrics: Json[]) => ({
  type: 'metric',
  properties: {
    metrics,
    region: '{AWS::Region}',
    view: 'timeSeries',
    yAxis: { left: { min: 0, showUnits: false } },
  },
});

/** What is not compared: the place of a widget, and its text. */
const NO_PLACE = { x: undefined, y: undefined, width: undefined, height: undefined };
const NO_TEXT = { title: undefined, markdown: undefined };

export const dashboardPolicies: Policy[] = [
  {
    says: 'the dashboard shows, from top to bottom, availability, affected clients, causes and cost',
    violations: (synth) => {
      const alarms = resources(synth, 'AWS::CloudWatch::Alarm').map(([id]) => `{${nameOf(synth, id)}.Arn}`);
      const body = withNames(synth, textOf(only(synth, DASHBOARD).Properties.DashboardBody));
      const { widgets, ...others } = JSON.parse(body);
      const texts: Json[] = widgets.map(({ properties }: Json) => properties.title ?? properties.markdown);
      const shown = widgets.map((widget: Json) => ({
        ...widget,
        ...NO_PLACE,
        properties: { ...widget.properties, ...NO_TEXT },
      }));
      return [
        ...differ('number of texts', new Set(texts.filter(Boolean)).size, widgets.length),
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
