import { describe, expect, test } from 'vitest';
import { copyOf, EVERYTHING, type Json, only, plain, propertiesOf, textOf, UNPROTECTED } from '../synth.ts';

const synth = copyOf(EVERYTHING);
const alarms = propertiesOf(synth, 'AWS::CloudWatch::Alarm');
const OWN = 'PlantStore/everything';

/** A metric in one line, as a dashboard writes it; one of our own filters has its name only. */
const inLine = ([namespace = '', ...rest]: string[]) =>
  [...(namespace === OWN ? [] : [namespace]), ...rest].join(' ');

function metricIn({ Namespace, MetricName, Dimensions = [] }: Json): string {
  return inLine([Namespace, MetricName, ...Dimensions.flatMap(({ Name, Value }: Json) => [Name, Value])]);
}

/** What an alarm watches: the seconds of a period, the statistic, and the metric, or an expression of metrics in brackets. */
function watched({ Metrics, ...alarm }: Json): string {
  if (!Metrics) return `${alarm.Period} ${alarm.Statistic ?? alarm.ExtendedStatistic} ${metricIn(alarm)}`;
  const [{ Expression }, ...parts] = Metrics;
  const stats = parts.map(({ MetricStat: { Period, Stat } }: Json) => `${Period} ${Stat}`);
  const text = parts.reduce(
    (done: string, { Id, MetricStat }: Json) =>
      done.replaceAll(new RegExp(`\\b${Id}\\b`, 'g'), `[${metricIn(MetricStat.Metric)}]`),
    Expression,
  );
  return [...new Set(stats), text].join(' ');
}

const FUNCTION = 'FunctionName {Function}';
const PUT = 'Operation PutItem TableName {Plants}';
const GET = 'Operation GetItem TableName {AccessTokens}';
/**
 * With other dimensions than these AWS has no data (Lambda Developer Guide, "Types of metrics for Lambda functions"; DynamoDB
 * Developer Guide, "DynamoDB metrics and dimensions"), and an alarm never fires.
 */
const WATCHED = {
  // Faults and FunctionErrors roll back a deployment. With longer periods they might miss a canary of 10 minutes.
  Faults: '60 Sum Faults',
  StoreUnavailable: '300 Sum Unavailable',
  Throttled: '300 Sum Throttled',
  RefusedTokens: '300 Sum RefusedTokens',
  // Without FILL: both metrics have data for the same minutes, those with a line in the log.
  UnknownTokens: '300 Sum IF([ValidTokens] > 0, 0, [UnknownTokens])',
  NotCompleted: `300 Sum IF([AWS/Lambda Invocations ${FUNCTION}] - FILL([Responses], 0) >= [AWS/Lambda Invocations ${FUNCTION}] / 1000, [AWS/Lambda Invocations ${FUNCTION}] - FILL([Responses], 0), 0)`,
  GatewayErrors: '300 Sum GatewayErrors',
  // What clients call; a version that is not deployed yet does not count.
  FunctionErrors: `60 Sum AWS/Lambda Errors ${FUNCTION} Resource {Function}:live`,
  FunctionThrottles: `300 Sum AWS/Lambda Throttles ${FUNCTION}`,
  SlowRequests: `300 p99 AWS/Lambda Duration ${FUNCTION} Resource {Function}:live`,
  TableThrottles: `300 Sum FILL([AWS/DynamoDB ThrottledRequests ${PUT}], 0) + FILL([AWS/DynamoDB ThrottledRequests ${GET}], 0)`,
  TableErrors: `300 Sum FILL([AWS/DynamoDB SystemErrors ${PUT}], 0) + FILL([AWS/DynamoDB SystemErrors ${GET}], 0)`,
  Silence: '5400 Sum FILL([Accepted], 0)',
};
const PAGING = ['Faults', 'UnknownTokens', 'NotCompleted', 'GatewayErrors', 'FunctionErrors', 'Silence'];

test('each alarm watches its metric', () => {
  const found = Object.entries(alarms).map(([id, alarm]) => [id, watched(alarm)]);
  expect(Object.fromEntries(found)).toEqual(WATCHED);
});

test('an unprotected stage has neither UnknownTokens nor, if it expects no plants, Silence', () => {
  const { UnknownTokens, Silence, ...others } = WATCHED;
  const found = propertiesOf(copyOf(UNPROTECTED), 'AWS::CloudWatch::Alarm');
  expect(Object.keys(found)).toEqual(Object.keys(others));
});

describe.each(Object.entries(alarms))('%s', (id, alarm) => {
  const isSilence = id === 'Silence';

  test('notifies the topic, and the pager if clients are affected now, when it fires and when it clears', () => {
    const actions = ['{AlarmTopic}', ...(PAGING.includes(id) ? [EVERYTHING.pagerTopicArn] : [])];
    expect(alarm).toMatchObject({
      AlarmName: `PlantStore-everything-${id}`,
      // Stated, so that drift detection sees `aws cloudwatch disable-alarm-actions`.
      ActionsEnabled: true,
      AlarmActions: actions,
      OKActions: actions,
    });
  });

  // runbook.test.ts compares the figures of the description with the section of the runbook.
  test('fires as its description says, which names its section of the runbook', () => {
    const { Threshold, DatapointsToAlarm, EvaluationPeriods, AlarmDescription } = alarm;
    const minutes = Number.parseInt(WATCHED[id as keyof typeof WATCHED], 10) / 60;
    const time = minutes === 1 ? '1 minute' : `${minutes} minutes`;
    const isOnce = DatapointsToAlarm === 1 && EvaluationPeriods === 1;
    const often = isOnce ? '' : `, in ${DatapointsToAlarm} of ${EvaluationPeriods} periods`;
    const count = isSilence ? 'no' : `${Threshold.toLocaleString('en')} or more`;
    const section = `(https://\\S+/blob/main/)?docs/runbook-alarms\\.md#${id.toLowerCase()}`;
    expect(AlarmDescription).toMatch(
      new RegExp(
        `^Impact: [A-Z].{20,}?\\. Fires: ${count} [^,]+ in ${time}${often}\\. Clears: .+ What to do: ${section}$`,
      ),
    );
  });

  test(
    isSilence
      ? 'fires without data'
      : 'does not fire without data: there are no requests, or none of this kind',
    () => {
      expect(alarm).toMatchObject(
        isSilence
          ? { ComparisonOperator: 'LessThanThreshold', Threshold: 1, TreatMissingData: 'breaching' }
          : { ComparisonOperator: 'GreaterThanOrEqualToThreshold', TreatMissingData: 'notBreaching' },
      );
    },
  );
});

test('a stage sets how many refused tokens and throttled requests or calls are above normal', () => {
  const set = Object.entries(alarms).filter(([, { Threshold }]) => [70, 80].includes(Threshold));
  const thresholds = Object.fromEntries(set.map(([id, { Threshold }]) => [id, Threshold]));
  expect(thresholds).toEqual({ Throttled: 80, RefusedTokens: 70, TableThrottles: 80 });
});

test('Silence does not fire in a stage that is younger than the silence', () => {
  expect(alarms.Silence.WarmUpConfiguration).toEqual({
    OnlyStartEvaluatingAfterWarmUpPeriodEnds: true,
    WarmUpPeriodDurationInMinutes: 90,
  });
});

test('the dashboard shows all alarms, what they watch, and besides only traffic, latency and cost', () => {
  const { DashboardName, DashboardBody } = only(synth, 'AWS::CloudWatch::Dashboard').Properties;
  expect(DashboardName).toBe('PlantStore-everything');
  const widgets: Json[] = plain(JSON.parse(textOf(DashboardBody))).widgets;
  const shown = widgets.flatMap(({ properties }) => properties.alarms ?? []);
  expect(shown).toEqual(Object.keys(alarms).map((id) => `{${id}.Arn}`));
  const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? []);
  const lines: string[] = metrics.map((each: Json[]) =>
    inLine(each.filter((part) => typeof part === 'string')),
  );
  const ofAlarms = Object.values(alarms).flatMap(({ Metrics, ...alarm }) =>
    Metrics ? Metrics.slice(1).map(({ MetricStat }: Json) => metricIn(MetricStat.Metric)) : [metricIn(alarm)],
  );
  const others = [
    'AWS/ApiGateway Count ApiName PlantStore-everything',
    'AWS/ApiGateway Latency ApiName PlantStore-everything',
    `AWS/Lambda Duration ${FUNCTION}`,
    'AWS/DynamoDB ConsumedWriteCapacityUnits TableName {Plants}',
    'AWS/DynamoDB ConsumedReadCapacityUnits TableName {AccessTokens}',
  ];
  expect([...new Set(lines.filter(Boolean))].sort()).toEqual([...new Set([...ofAlarms, ...others])].sort());
});
