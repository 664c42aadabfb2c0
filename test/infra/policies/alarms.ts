import { readFileSync } from 'node:fs';
import type { Stage } from '../../../infra/stage-settings.ts';
import { type Metric, metricsIn, NOT_COMPLETED, SILENCE, TABLE_ERRORS, TABLE_THROTTLES } from './metrics.ts';
import { every, type Policy } from './policy.ts';

const TWO_OF_THREE = { DatapointsToAlarm: 2, EvaluationPeriods: 3 };

/** Every alarm: its metric, its threshold and, unless it looks at the last period only, its periods. */
function alarmsOf(stage: Stage) {
  const { refusedTokens, throttled } = stage.aboveNormal;
  const { minutes } = stage.expectsPlants ?? {};
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
    ...(minutes && {
      Silence: {
        // One period: with several, CloudWatch could judge by data from before the silence.
        Metrics: [result(SILENCE, 'Plants accepted'), part('accepted', metrics.accepted, minutes * 60)],
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
        TreatMissingData: 'breaching',
      },
    }),
  };
}

function simple(metric: Metric, statistic: object = { Statistic: 'Sum' }, Period = 300) {
  return { ...named(metric), ...statistic, Period };
}

const result = (Expression: string, Label: string) => ({ Expression, Id: 'expr_1', Label, ReturnData: true });

const part = (Id: string, metric: Metric, Period = 300) => ({
  Id,
  MetricStat: { Metric: named(metric), Period, Stat: 'Sum' },
  ReturnData: false,
});

function named([Namespace, MetricName, ...rest]: Metric) {
  const names = rest.filter((_, index) => index % 2 === 0);
  const Dimensions = names.map((Name, index) => ({ Name, Value: rest[2 * index + 1] }));
  return { Namespace, MetricName, ...(names.length > 0 && { Dimensions }) };
}

/** The alarms that wake somebody. */
const WAKING = ['Faults', 'GatewayErrors', 'FunctionErrors', 'Silence'];

/** Whom an alarm notifies when it fires, and when it is over. */
function notified({ pagerTopicArn }: Stage, alarm: string) {
  const actions = ['{AlarmTopic}', ...(pagerTopicArn && WAKING.includes(alarm) ? [pagerTopicArn] : [])];
  return { AlarmActions: actions, OKActions: actions };
}

/** When each alarm fires, as its description and the runbook say it. */
function figuresOf({
  aboveNormal: { refusedTokens, throttled },
  expectsPlants,
}: Stage): Record<string, string> {
  const later = 'without requests, some minutes later.';
  const minute = (text: string) => `Fires: ${text} in 1 minute. Clears: 1 minute with fewer; ${later}`;
  const five = (text: string) => `Fires: ${text} in 5 minutes. Clears: 5 minutes with fewer; ${later}`;
  const twice = (text: string) =>
    `Fires: ${text} in 5 minutes, in 2 of 3 periods. Clears: in fewer than 2 of 3; ${later}`;
  return {
    Faults: minute('1 or more faults'),
    StoreUnavailable: five('3 or more requests with 50301'),
    Throttled: five(`${throttled} or more requests with 42901`),
    RefusedTokens: five(`${refusedTokens} or more requests with 40102`),
    NotCompleted: twice('3 or more invocations without a log line'),
    GatewayErrors: five("1 or more answers of the gateway's own with a fault"),
    FunctionErrors: minute('1 or more failed invocations'),
    FunctionThrottles: five('1 or more refused invocations'),
    SlowRequests: twice('3,500 or more milliseconds at the 99th percentile'),
    TableThrottles: five(`${throttled} or more refused calls`),
    TableErrors: five('3 or more failed calls'),
    Silence: `Fires: no plants accepted in ${expectsPlants?.minutes} minutes. Clears: with the next one.`,
  };
}

const DESCRIPTION =
  /^Impact: [A-Z].{20,}?\. (Fires: .+) What to do: (?:https:\/\/\S+\/blob\/main\/)?docs\/runbook-alarms\.md#([\w-]+)$/;
const runbook = readFileSync(new URL('../../../docs/runbook-alarms.md', import.meta.url), 'utf8');

export const alarmPolicies: Policy[] = [
  {
    says: 'each alarm has its metric, threshold and periods, can fire, and notifies the topic and perhaps the pager',
    violations: (synth) =>
      Object.entries(alarmsOf(synth.stage)).flatMap(([name, alarm]) =>
        every(synth, name, ({ AlarmDescription }) => ({
          ...notified(synth.stage, name),
          AlarmDescription,
          AlarmName: `PlantStore-${synth.stage.name}-${name}`,
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
          DatapointsToAlarm: 1,
          EvaluationPeriods: 1,
          // No data means no requests, or none of this kind.
          TreatMissingData: 'notBreaching',
          ...alarm,
        })),
      ),
  },
  {
    says: 'every alarm names its impact, when it fires and clears, and its own section of the runbook',
    violations: (synth) =>
      Object.keys(alarmsOf(synth.stage)).flatMap((name) => {
        const isSection = runbook.includes(`\n## ${name}\n`);
        return every(synth, name, ({ AlarmDescription = '', ...others }) => {
          const [, figures, section] = DESCRIPTION.exec(AlarmDescription) ?? [];
          const isRight =
            isSection && figures === figuresOf(synth.stage)[name] && section === name.toLowerCase();
          return {
            ...others,
            AlarmDescription: isRight ? AlarmDescription : 'Impact: …, figures and a section',
          };
        });
      }),
  },
];
