import { expect, test } from 'vitest';
import { PlantStoreStack } from '../../../infra/plant-store-stack.ts';
import type { Stage } from '../../../infra/stage-settings.ts';
import { read } from '../../support/project.ts';
import { EVERYTHING, PROTECTED, UNPROTECTED } from '../../support/test-stages.ts';
import { copyOf, type Json, newApp, only, plain, propertiesOf } from '../synth.ts';

const synth = copyOf(EVERYTHING);
const alarms = propertiesOf(synth, 'AWS::CloudWatch::Alarm');
const OWN = 'PlantStore/everything';

/** A metric in one line; one of our own filters has its name only. */
function metricIn({ Namespace, MetricName, Dimensions = [] }: Json): string {
  const dimensions = Dimensions.flatMap(({ Name, Value }: Json) => [Name, Value]);
  return [...(Namespace === OWN ? [] : [Namespace]), MetricName, ...dimensions].join(' ');
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
const MISSING = `([AWS/Lambda Invocations ${FUNCTION}] - FILL([Responses], 0) - FILL([AWS/Lambda Errors ${FUNCTION}], 0))`;
const CALLS = ['Operation PutItem TableName {Plants}', 'Operation GetItem TableName {AccessTokens}'];
const ofCalls = (metric: string) =>
  CALLS.map((call) => `FILL([AWS/DynamoDB ${metric} ${call}], 0)`).join(' + ');
/**
 * With other dimensions than these AWS has no data (Lambda Developer Guide, "Types of metrics for Lambda functions"; DynamoDB
 * Developer Guide, "DynamoDB metrics and dimensions"), and an alarm never fires.
 */
const WATCHED = {
  // Faults, Unanswered and FunctionErrors roll back a deployment. With longer periods they might miss a canary of 10 minutes.
  Faults: '60 Sum Faults',
  Unanswered: '60 Sum Unanswered',
  StoreUnavailable: '300 Sum Unavailable',
  Throttled: '300 Sum Throttled',
  Refusals: '300 Sum Refused',
  RefusedTokens: '300 Sum RefusedTokens',
  // Without FILL: both metrics have data for the same minutes, those with a line in the log.
  UnknownTokens: '300 Sum IF([ValidTokens] > 0, 0, [UnknownTokens])',
  NotCompleted: `300 Sum IF(${MISSING} >= [AWS/Lambda Invocations ${FUNCTION}] / 1000, ${MISSING}, 0)`,
  GatewayErrors: '300 Sum GatewayErrors',
  GatewayNotLogged:
    '300 Sum IF(FILL([AWS/Logs IncomingLogEvents LogGroupName {AccessLogs}], 0) > 0, 0, [AWS/ApiGateway Count ApiName PlantStore-everything])',
  // What clients call; a version that is not deployed yet does not count.
  FunctionErrors: `60 Sum AWS/Lambda Errors ${FUNCTION} Resource {Function}:live`,
  FunctionThrottles: `300 Sum AWS/Lambda Throttles ${FUNCTION}`,
  SlowRequests: `300 p99 AWS/Lambda Duration ${FUNCTION} Resource {Function}:live`,
  HighLatency: `300 p90 AWS/Lambda Duration ${FUNCTION} Resource {Function}:live`,
  TableThrottles: `300 Sum ${ofCalls('ThrottledRequests')}`,
  TableErrors: `300 Sum ${ofCalls('SystemErrors')}`,
  // The names that the web ACL gives its metrics, and all of its rules.
  BlockedByFirewall:
    '300 Sum AWS/WAFV2 BlockedRequests Region {AWS::Region} Rule ALL WebACL PlantStore-everything-Firewall',
  Silence: '5400 Sum FILL([Accepted], 0)',
};

test('each alarm watches its metric', () => {
  const found = Object.entries(alarms).map(([id, alarm]) => [id, watched(alarm)]);
  expect(Object.fromEntries(found)).toEqual(WATCHED);
});

test('an unprotected stage has no UnknownTokens, and a stage without its setting neither BlockedByFirewall nor Silence', () => {
  const { UnknownTokens, BlockedByFirewall, Silence, ...others } = WATCHED;
  const found = propertiesOf(copyOf(UNPROTECTED), 'AWS::CloudWatch::Alarm');
  expect(Object.keys(found)).toEqual(Object.keys(others));
});

// runbook.test.ts has those that page.
test('each notifies the topic, when it fires and when it clears, and some the pager, too', () => {
  for (const [id, { AlarmActions: actions, ...alarm }] of Object.entries(alarms)) {
    // ActionsEnabled is stated, so that drift detection sees `aws cloudwatch disable-alarm-actions`.
    const on = { ActionsEnabled: true, OKActions: actions };
    expect(alarm).toMatchObject({ AlarmName: `PlantStore-everything-${id}`, ...on });
    expect(actions).toEqual(
      actions.length === 1 ? ['{AlarmTopic}'] : ['{AlarmTopic}', EVERYTHING.pagerTopicArn],
    );
  }
});

test('Silence notifies the pager by an alarm of its own, where there is a pager', () => {
  const of = (stage: Stage) => propertiesOf(copyOf(stage), 'AWS::CloudWatch::CompositeAlarm');
  const { SilenceAlone, ...others } = of(EVERYTHING);
  const pager = [EVERYTHING.pagerTopicArn];
  expect(SilenceAlone).toMatchObject({
    AlarmName: 'PlantStore-everything-SilenceAlone',
    AlarmDescription: expect.stringMatching(`What to do: ${RUNBOOK}#silence$`),
    ActionsEnabled: true,
    AlarmActions: pager,
    OKActions: pager,
  });
  for (const absent of [{ pagerTopicArn: undefined }, { expectsPlants: undefined }])
    expect([of({ ...EVERYTHING, ...absent }), others]).toEqual([{}, {}]);
});

const { repository } = JSON.parse(read('package.json'));
const RUNBOOK = `${repository === undefined ? '' : `${repository}/blob/main/`}docs/runbook-alarms.md`;

test('each fires as its description says, which names its section of the runbook', () => {
  const expected = Object.entries(alarms).map(([id, { Threshold, DatapointsToAlarm, EvaluationPeriods }]) => {
    const minutes = Number.parseInt(WATCHED[id as keyof typeof WATCHED], 10) / 60;
    const time = minutes === 1 ? '1 minute' : `${minutes} minutes`;
    const isOnce = DatapointsToAlarm === 1 && EvaluationPeriods === 1;
    const often = isOnce ? '' : `, in ${DatapointsToAlarm} of ${EvaluationPeriods} periods`;
    const fires = `Fires: ${id === 'Silence' ? 'no' : `${Threshold.toLocaleString('en')} or more`} [^,]+ in ${time}${often}`;
    const section = `What to do: ${RUNBOOK}#${id.toLowerCase()}`;
    const text = RegExp(`^Impact: [A-Z].{20,}?\\. ${fires}\\. Clears: .+ ${section}$`);
    return [id, expect.objectContaining({ AlarmDescription: expect.stringMatching(text) })];
  });
  expect(alarms).toEqual(Object.fromEntries(expected));
});

test('without data, which means no requests or none of this kind, only Silence fires', () => {
  const { Silence, ...others } = alarms;
  const below = { ComparisonOperator: 'LessThanThreshold', Threshold: 1, TreatMissingData: 'breaching' };
  expect(Silence).toMatchObject(below);
  const atLeast = { ComparisonOperator: 'GreaterThanOrEqualToThreshold', TreatMissingData: 'notBreaching' };
  for (const alarm of Object.values(others)) expect(alarm).toMatchObject(atLeast);
});

test('Silence does not fire in a stage that is younger than the silence', () => {
  expect(alarms.Silence.WarmUpConfiguration).toEqual({
    OnlyStartEvaluatingAfterWarmUpPeriodEnds: true,
    WarmUpPeriodDurationInMinutes: 90,
  });
});

test('the dashboard shows all alarms', () => {
  const { DashboardName, DashboardBody } = only(synth, 'AWS::CloudWatch::Dashboard').Properties;
  expect(DashboardName).toBe('PlantStore-everything');
  const widgets: Json[] = JSON.parse(plain(DashboardBody)).widgets;
  const shown = widgets.flatMap(({ properties }) => properties.alarms ?? []);
  expect(shown).toEqual(Object.keys(alarms).map((id) => `{${id}.Arn}`));
});

test('the dashboard shows what the firewall blocks, in a stage that has one', () => {
  const bodyOf = (each: typeof synth) =>
    JSON.stringify(only(each, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody);
  expect(bodyOf(synth)).toContain('BlockedRequests');
  expect(bodyOf(copyOf(PROTECTED))).not.toContain('BlockedRequests');
});

test('only a protected stage without an alarm email gets a warning', () => {
  const warned = [PROTECTED, EVERYTHING, UNPROTECTED].flatMap((stage) =>
    new PlantStoreStack(newApp(), stage).node.metadata.filter(({ type }) => type === 'aws:cdk:warning'),
  );
  const data = expect.stringMatching(/^Alarms of production send no email: set alarmEmail/);
  expect(warned).toEqual([expect.objectContaining({ data })]);
});
