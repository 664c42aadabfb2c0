import { readFileSync } from 'node:fs';
import type { Stage } from '../../../infra/stage-settings.ts';
import { type Json, resources, type Synth } from '../synth.ts';
import { leafMetrics, metricsWithoutData, partsWithoutZero } from './metrics.ts';
import { broken, change, each, type Policy } from './policy.ts';

const ALARM = 'AWS::CloudWatch::Alarm';

/** Every alarm: its metrics, threshold, and number of periods. */
const alarmsOf = ({ aboveNormal: { refusedTokens, throttled } }: Stage) => ({
  // The first and the seventh roll back a deployment. With longer periods they might miss a canary of 10 minutes.
  Faults: 'Faults Sum 60 s, from 1 in 1 of 1',
  StoreUnavailable: 'Unavailable Sum 300 s, from 3 in 1 of 1',
  Throttled: `Throttled Sum 300 s, from ${throttled} in 1 of 1`,
  RefusedTokens: `RefusedTokens Sum 300 s, from ${refusedTokens} in 1 of 1`,
  NotCompleted: 'Invocations Sum 300 s, Answered Sum 300 s, from 3 in 2 of 3',
  GatewayErrors: 'GatewayErrors Sum 300 s, from 1 in 1 of 1',
  FunctionErrors: 'Errors Sum 60 s, from 1 in 1 of 1',
  FunctionThrottles: 'Throttles Sum 300 s, from 1 in 1 of 1',
  // The store's time budget; Lambda ends the function at 6,000 ms.
  SlowRequests: 'Duration p99 300 s, from 3500 in 2 of 3',
  TableThrottles: `ThrottledRequests Sum 300 s, ThrottledRequests Sum 300 s, from ${throttled} in 1 of 1`,
  TableErrors: 'SystemErrors Sum 300 s, SystemErrors Sum 300 s, from 3 in 1 of 1',
});

function summary(alarm: Json): string {
  const metrics = leafMetrics(alarm).map(
    ({ MetricName, Stat, Period }) => `${MetricName} ${Stat} ${Period} s`,
  );
  const periods = `${alarm.DatapointsToAlarm} of ${alarm.EvaluationPeriods}`;
  return `${metrics.join(', ')}, from ${alarm.Threshold} in ${periods}`;
}

const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
  title.toLowerCase().replaceAll(' ', '-'),
);

function byName(synth: Synth): Record<string, Json> {
  return Object.fromEntries(
    resources(synth, ALARM).map(([, { Properties }]) => [Properties.AlarmName, Properties]),
  );
}

export const alarmPolicies: Policy[] = [
  {
    says: 'these alarms watch these metrics, with these thresholds and periods',
    violations: (synth) => {
      const found = byName(synth);
      const expected = Object.entries(alarmsOf(synth.stage));
      const nameOf = (id: string) => `PlantStore-${synth.stage.name}-${id}`;
      return broken('alarms', {
        ...Object.fromEntries(
          expected.map(([id, text]) => [id, [found[nameOf(id)] && summary(found[nameOf(id)]), text]]),
        ),
        names: [Object.keys(found).sort(), expected.map(([id]) => nameOf(id)).sort()],
      });
    },
    mutations: [
      (synth) => delete synth.template.Resources[resources(synth, ALARM)[0]?.[0] ?? ''],
      change('FunctionErrors', 'Properties.MetricName', '5XXError'),
      change('Faults', 'Properties.Period', 300),
      change('FunctionErrors', 'Properties.Statistic', 'Average'),
      change('NotCompleted', 'Properties.DatapointsToAlarm', 1),
      change('RefusedTokens', 'Properties.Threshold', 1),
      change('SlowRequests', 'Properties.Threshold', 6_000),
    ],
  },
  {
    says: 'every alarm names its impact and a section of the runbook that exists, and notifies the topic',
    violations: (synth) =>
      each(synth, ALARM, ({ Properties }) => {
        const { AlarmDescription, AlarmActions, OKActions } = Properties;
        const [, section = ''] =
          /^Impact: [A-Z].{20,}\. What to do: docs\/runbook\.md#([\w-]+)$/.exec(AlarmDescription) ?? [];
        const topic = [{ Ref: resources(synth, 'AWS::SNS::Topic')[0]?.[0] }];
        return {
          [`"${AlarmDescription}" has an impact and a section`]: section !== '',
          [`docs/runbook.md has the section "${section}"`]: sections.includes(section),
          AlarmActions: [AlarmActions, topic],
          OKActions: [OKActions, topic],
        };
      }),
    mutations: [
      change('Faults', 'Properties.AlarmDescription', 'Too many errors'),
      change(
        'Throttled',
        'Properties.AlarmDescription',
        'Impact: It is slow for many. What to do: docs/runbook.md#no',
      ),
      change('TableErrors', 'Properties.AlarmActions'),
      change('TableErrors', 'Properties.OKActions'),
    ],
  },
  {
    says: 'every alarm can fire: its metrics have data, and no request leaves it silent',
    violations: (synth) =>
      each(synth, ALARM, ({ Properties }) => ({
        ComparisonOperator: [Properties.ComparisonOperator, 'GreaterThanOrEqualToThreshold'],
        TreatMissingData: [Properties.TreatMissingData, 'notBreaching'],
        'list of metrics that AWS does not report': [metricsWithoutData(synth, Properties), []],
        'list of parts without FILL': [partsWithoutZero(Properties), []],
      })),
    mutations: [
      change('Faults', 'Properties.MetricName', 'Fault'),
      change('Faults', 'Properties.Dimensions', [{ Name: 'Stage', Value: 'prod' }]),
      change('NotCompleted', 'Properties.Metrics.0.Expression', 'invocations - answered'),
      change('TableErrors', 'Properties.Metrics.1.MetricStat.Metric.Dimensions.0'),
      change('Throttled', 'Properties.ComparisonOperator', 'LessThanThreshold'),
      change('Throttled', 'Properties.TreatMissingData', 'missing'),
    ],
  },
];
