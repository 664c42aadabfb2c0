import { readFileSync } from 'node:fs';
import type { Stage } from '../../../infra/stage-settings.ts';
import { type Json, resources } from '../synth.ts';
import { leafMetrics, metricsWithoutData, partsWithoutZero } from './metrics.ts';
import { differ, every, find, type Policy, without } from './policy.ts';

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
  const metrics = leafMetrics(alarm).map((each) => `${each.MetricName} ${each.Stat} ${each.Period} s`);
  const periods = `${alarm.DatapointsToAlarm} of ${alarm.EvaluationPeriods}`;
  return `${metrics.join(', ')}, from ${alarm.Threshold} in ${periods}`;
}

const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
  title.toLowerCase().replaceAll(' ', '-'),
);

export const alarmPolicies: Policy[] = [
  {
    says: 'these alarms watch these metrics, with these thresholds and periods',
    violations: (synth) => {
      const required = Object.entries(alarmsOf(synth.stage));
      return [
        ...differ('number of alarms', resources(synth, ALARM).length, required.length),
        ...required.flatMap(([id, text]) => {
          const [[, alarm] = []] = find(synth, id);
          return [
            ...differ(id, alarm && summary(alarm.Properties), text),
            ...every(synth, id, { AlarmName: `PlantStore-${synth.stage.name}-${id}` }),
          ];
        }),
      ];
    },
    mutants: [
      without(ALARM),
      ['FunctionErrors', 'MetricName', '5XXError'],
      ['FunctionErrors', 'AlarmName', 'Errors'],
      ['Faults', 'Period', 300],
      ['FunctionErrors', 'Statistic', 'Average'],
      ['NotCompleted', 'DatapointsToAlarm', 1],
      ['RefusedTokens', 'Threshold', 1],
      ['SlowRequests', 'Threshold', 6_000],
    ],
  },
  {
    says: 'every alarm names its impact and a section of the runbook that exists, and notifies the topic',
    violations: (synth) => [
      ...every(synth, ALARM, () => {
        const topic = [{ Ref: resources(synth, 'AWS::SNS::Topic')[0]?.[0] }];
        return { AlarmActions: topic, OKActions: topic };
      }),
      ...resources(synth, ALARM).flatMap(([id, { Properties }]) => {
        const [, section] =
          /^Impact: [A-Z].{20,}\. What to do: docs\/runbook\.md#([\w-]+)$/.exec(
            Properties.AlarmDescription,
          ) ?? [];
        if (section === undefined) return `AlarmDescription of ${id} lacks the impact or the section`;
        return sections.includes(section) ? [] : `${id} names #${section}, which is not in the runbook`;
      }),
    ],
    mutants: [
      ['Faults', 'AlarmDescription', 'Too many errors'],
      ['Throttled', 'AlarmDescription', 'Impact: It is slow for many. What to do: docs/runbook.md#no'],
      ['TableErrors', 'AlarmActions'],
      ['TableErrors', 'OKActions'],
    ],
  },
  {
    says: 'every alarm can fire: its metrics have data, and no request leaves it silent',
    violations: (synth) => [
      ...every(synth, ALARM, {
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
      }),
      ...resources(synth, ALARM).flatMap(([id, { Properties }]) => [
        ...differ(
          `list of metrics of ${id} that AWS does not report`,
          metricsWithoutData(synth, Properties),
          [],
        ),
        ...differ(`list of parts of ${id} without FILL`, partsWithoutZero(Properties), []),
      ]),
    ],
    mutants: [
      ['Faults', 'MetricName', 'Fault'],
      ['Faults', 'Dimensions', [{ Name: 'Stage', Value: 'prod' }]],
      ['NotCompleted', 'Metrics.0.Expression', 'invocations - answered'],
      ['TableErrors', 'Metrics.1.MetricStat.Metric.Dimensions.0'],
      ['Throttled', 'ComparisonOperator', 'LessThanThreshold'],
      ['Throttled', 'TreatMissingData', 'missing'],
    ],
  },
];
