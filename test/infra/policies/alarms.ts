import type { Stage } from '../../../infra/stage-settings.ts';
import { type Expression, expressionsIn, type Metric, metricsIn } from './metrics.ts';
import { every, type Policy } from './policy.ts';

const TWO_OF_THREE = { DatapointsToAlarm: 2, EvaluationPeriods: 3 };
const THREE_OF_THREE = { DatapointsToAlarm: 3, EvaluationPeriods: 3 };

/** Every alarm: its metric, its threshold and, unless it looks at the last period only, its periods. */
function alarmsOf(stage: Stage) {
  const { refusedTokens, throttled } = stage.aboveNormal;
  const { minutes } = stage.expectsPlants ?? {};
  const metrics = metricsIn(stage);
  const { unknownTokens, notCompleted, tableThrottles, tableErrors, silence } = expressionsIn(stage);
  return {
    // Faults and FunctionErrors roll back a deployment. With longer periods they might miss a canary of 10 minutes.
    Faults: { ...simple(metrics.faults, { Statistic: 'Sum' }, 60), Threshold: 1 },
    StoreUnavailable: { ...simple(metrics.unavailable), Threshold: 3 },
    Throttled: { ...simple(metrics.throttled), Threshold: throttled },
    RefusedTokens: { ...simple(metrics.refusedTokens), Threshold: refusedTokens },
    ...(stage.isProtected && {
      UnknownTokens: { ...computed(unknownTokens), Threshold: 3, ...THREE_OF_THREE },
    }),
    NotCompleted: { ...computed(notCompleted), Threshold: 3, ...TWO_OF_THREE },
    GatewayErrors: { ...simple(metrics.gatewayErrors), Threshold: 1 },
    FunctionErrors: { ...simple(metrics.functionErrors, { Statistic: 'Sum' }, 60), Threshold: 1 },
    FunctionThrottles: { ...simple(metrics.functionThrottles), Threshold: 1 },
    SlowRequests: {
      ...simple(metrics.functionDuration, { ExtendedStatistic: 'p99' }),
      // The store's time budget; Lambda ends the function at 6,000 ms.
      Threshold: 3_500,
      ...TWO_OF_THREE,
    },
    TableThrottles: { ...computed(tableThrottles), Threshold: throttled },
    TableErrors: { ...computed(tableErrors), Threshold: 3 },
    ...(minutes && {
      Silence: {
        // One period: with several, CloudWatch could judge by data from before the silence.
        ...computed(silence, minutes * 60),
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
        TreatMissingData: 'breaching',
        // It does not fire in a stage that is younger than the silence.
        WarmUpConfiguration: {
          OnlyStartEvaluatingAfterWarmUpPeriodEnds: true,
          WarmUpPeriodDurationInMinutes: minutes,
        },
      },
    }),
  };
}

function simple(metric: Metric, statistic: object = { Statistic: 'Sum' }, Period = 300) {
  return { ...named(metric), ...statistic, Period };
}

function computed({ expression, label, parts }: Expression, Period = 300) {
  const result = { Expression: expression, Id: 'expr_1', Label: label, ReturnData: true };
  const inputs = Object.entries(parts).map(([Id, metric]) => ({
    Id,
    MetricStat: { Metric: named(metric), Period, Stat: 'Sum' },
    ReturnData: false,
  }));
  return { Metrics: [result, ...inputs] };
}

function named([Namespace, MetricName, ...rest]: Metric) {
  const names = rest.filter((_, index) => index % 2 === 0);
  const Dimensions = names.map((Name, index) => ({ Name, Value: rest[2 * index + 1] }));
  return { Namespace, MetricName, ...(names.length > 0 && { Dimensions }) };
}

/** The alarms that page. */
const PAGING = ['Faults', 'UnknownTokens', 'NotCompleted', 'GatewayErrors', 'FunctionErrors', 'Silence'];

/** Whom an alarm notifies when it fires, and when it clears. */
function notified({ pagerTopicArn }: Stage, alarm: string) {
  const actions = ['{AlarmTopic}', ...(pagerTopicArn && PAGING.includes(alarm) ? [pagerTopicArn] : [])];
  return { AlarmActions: actions, OKActions: actions };
}

/** The description itself if it is right. runbook.test.ts compares its figures with the section of the runbook. */
function requiredDescription(alarm: string, description = ''): string {
  const section = `docs/runbook-alarms\\.md#${alarm.toLowerCase()}`;
  const right = new RegExp(
    `^Impact: [A-Z].{20,}?\\. Fires: .+ Clears: .+ What to do: (https://\\S+/blob/main/)?${section}$`,
  );
  return right.test(description) ? description : `Impact: …, figures and ${section}`;
}

export const alarmPolicies: Policy[] = [
  {
    says: 'each alarm has its metric, threshold and periods, says its impact, and notifies the topic and perhaps the pager',
    violations: (synth) =>
      Object.entries(alarmsOf(synth.stage)).flatMap(([name, alarm]) =>
        every(synth, name, ({ AlarmDescription }) => ({
          ...notified(synth.stage, name),
          // Stated, so that drift detection sees `aws cloudwatch disable-alarm-actions`.
          ActionsEnabled: true,
          AlarmDescription: requiredDescription(name, AlarmDescription),
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
];
