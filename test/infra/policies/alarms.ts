import { readFileSync } from 'node:fs';
import type { Stage } from '../../../infra/stage-settings.ts';
import { type Metric, metricsIn, NOT_COMPLETED, TABLE_ERRORS, TABLE_THROTTLES } from './metrics.ts';
import { every, type Policy } from './policy.ts';

const TWO_OF_THREE = { DatapointsToAlarm: 2, EvaluationPeriods: 3 };

/** Every alarm: its metric, its threshold and, unless it looks at the last period only, its periods. */
function alarmsOf(stage: Stage) {
  const { refusedTokens, throttled } = stage.aboveNormal;
  const metrics = metricsIn(stage);
  return {
    // Faults and FunctionErrors roll back a deployment. With longer periods they might miss a canary of 10 minutes.
    Faults: { ...simple(metrics.faults, { Statistic: 'Sum' }, 60), Threshold: 1 },
    StoreUnavailable: { ...simple(metrics.unavailable), Threshold: 3 },
    Throttled: { ...simple(metrics.throttled), Threshold: throttled },
    RefusedTokens: { ...simple(metrics.refusedTokens), Threshold: refusedTokens },
    NotCompleted: {
      Metrics: [
        result(NOT_COMPLETED, 'Requests without a log line'),
        part('invocations', metrics.invocations),
        part('answered', metrics.answered),
      ],
      Threshold: 3,
      ...TWO_OF_THREE,
    },
    GatewayErrors: { ...simple(metrics.gatewayErrors), Threshold: 1 },
    FunctionErrors: { ...simple(metrics.functionErrors, { Statistic: 'Sum' }, 60), Threshold: 1 },
    FunctionThrottles: { ...simple(metrics.functionThrottles), Threshold: 1 },
    SlowRequests: {
      ...simple(metrics.functionDuration, { ExtendedStatistic: 'p99' }),
      // The store's time budget; Lambda ends the function at 6,000 ms.
      Threshold: 3_500,
      ...TWO_OF_THREE,
    },
    TableThrottles: {
      Metrics: [
        result(TABLE_THROTTLES, 'Calls refused by a table'),
        part('putThrottledRequests', metrics.putThrottles),
        part('getThrottledRequests', metrics.getThrottles),
      ],
      Threshold: throttled,
    },
    TableErrors: {
      Metrics: [
        result(TABLE_ERRORS, 'Calls that failed in DynamoDB'),
        part('putSystemErrors', metrics.putErrors),
        part('getSystemErrors', metrics.getErrors),
      ],
      Threshold: 3,
    },
  };
}

function simple(metric: Metric, statistic: object = { Statistic: 'Sum' }, Period = 300) {
  return { ...named(metric), ...statistic, Period };
}

const result = (Expression: string, Label: string) => ({ Expression, Id: 'expr_1', Label, ReturnData: true });

const part = (Id: string, metric: Metric) => ({
  Id,
  MetricStat: { Metric: named(metric), Period: 300, Stat: 'Sum' },
  ReturnData: false,
});

function named([Namespace, MetricName, ...rest]: Metric) {
  const names = rest.filter((_, index) => index % 2 === 0);
  const Dimensions = names.map((Name, index) => ({ Name, Value: rest[2 * index + 1] }));
  return { Namespace, MetricName, ...(names.length > 0 && { Dimensions }) };
}

const DESCRIPTION = /^Impact: [A-Z].{20,}\. What to do: docs\/runbook-alarms\.md#([\w-]+)$/;
const runbook = readFileSync(new URL('../../../docs/runbook-alarms.md', import.meta.url), 'utf8');

export const alarmPolicies: Policy[] = [
  {
    says: 'each alarm has its metric, threshold and periods, can fire, and notifies the topic',
    violations: (synth) =>
      Object.entries(alarmsOf(synth.stage)).flatMap(([name, alarm]) =>
        every(synth, name, ({ AlarmDescription }) => ({
          AlarmActions: ['{AlarmTopic}'],
          AlarmDescription,
          AlarmName: `PlantStore-${synth.stage.name}-${name}`,
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
          DatapointsToAlarm: 1,
          EvaluationPeriods: 1,
          OKActions: ['{AlarmTopic}'],
          // No data means no requests, or none of this kind.
          TreatMissingData: 'notBreaching',
          ...alarm,
        })),
      ),
  },
  {
    says: 'every alarm names its impact and its own section of the runbook',
    violations: (synth) =>
      Object.keys(alarmsOf(synth.stage)).flatMap((name) => {
        const isSection = runbook.includes(`\n## ${name}\n`);
        return every(synth, name, ({ AlarmDescription = '', ...others }) => {
          const [, section] = DESCRIPTION.exec(AlarmDescription) ?? [];
          const isRight = isSection && section === name.toLowerCase();
          return { ...others, AlarmDescription: isRight ? AlarmDescription : 'Impact: …, and a section' };
        });
      }),
  },
];
