import { Annotations, Aws } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { ERRORS } from '../lambda/errors.ts';
import { STORE_BUDGET_MS } from '../lambda/limits.ts';
import type { Metrics } from './metrics.ts';
import { sectionAddress } from './repository.ts';
import type { Stage } from './stage-settings.ts';

/** One alarm: when it fires, and what it means for clients. */
interface AlarmDefinition {
  readonly metric: Metric | MathExpression;
  /** It fires at this value or above, in the metric's unit. */
  readonly atLeast: number;
  /** In how many of the last periods the value must be reached; default: in the last one. */
  readonly periods?: { readonly breaching: number; readonly of: number };
  /** What it counts or measures, as in "3 or more …". */
  readonly counts: string;
  /** Who is affected and how; the first part of the alarm's description. */
  readonly impact: string;
}

/** The alarms of a stage. Each id is also the title of a section of docs/runbook-alarms.md. */
export type Alarms = Readonly<Record<keyof ReturnType<typeof alarmDefinitions>, Alarm>>;

/** Makes all alarms, and the topic that notifies people. */
export function makeAlarms(scope: Construct, stage: Stage, metrics: Metrics): Alarms {
  const topic = makeTopic(scope, stage);
  const alarms = Object.entries(alarmDefinitions(stage, metrics)).map(([id, definition]) => {
    const alarm = makeAlarm(scope, id, stage, definition);
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
    return [id, alarm];
  });
  return Object.fromEntries(alarms);
}

function alarmDefinitions(stage: Stage, metrics: Metrics) {
  const { refusedTokens, throttled } = stage.aboveNormal;
  const { error: badToken } = ERRORS.INVALID_TOKEN;
  const { error: slowDown } = ERRORS.TOO_MANY_REQUESTS;
  const { error: fault } = ERRORS.SERVICE_FAULT;
  const { error: unavailable } = ERRORS.UNAVAILABLE;
  const { error: noAnswer } = ERRORS.NO_ANSWER;
  return {
    Faults: {
      metric: metrics.faults,
      counts: 'faults',
      atLeast: 1,
      impact: `Clients get ${fault} or ${noAnswer} because of a fault in the service; retrying may not help.`,
    },
    StoreUnavailable: {
      metric: metrics.unavailable,
      counts: `requests with ${unavailable}`,
      atLeast: 3,
      impact: `Clients get ${unavailable}: their plants are not stored, and they have to send them again.`,
    },
    Throttled: {
      metric: metrics.throttled,
      counts: `requests with ${slowDown}`,
      atLeast: throttled,
      impact: `Clients get ${slowDown} and have to slow down, perhaps because of another client.`,
    },
    RefusedTokens: {
      metric: metrics.refusedTokens,
      counts: `requests with ${badToken}`,
      atLeast: refusedTokens,
      impact: 'A client sends an expired or revoked access token, or somebody is guessing tokens.',
    },
    NotCompleted: {
      metric: metrics.notCompleted,
      counts: 'invocations without a log line',
      atLeast: 3,
      periods: { breaching: 2, of: 3 },
      impact: `Clients wait and then get ${noAnswer}: invocations ended without writing their log line.`,
    },
    GatewayErrors: {
      metric: metrics.gatewayErrors,
      counts: "answers of the gateway's own with a fault",
      atLeast: 1,
      impact: `Clients get ${fault} or ${noAnswer} from the gateway: it got no usable answer from the function.`,
    },
    FunctionErrors: {
      metric: metrics.functionErrors,
      counts: 'failed invocations',
      atLeast: 1,
      impact: `Clients get ${noAnswer}: the function crashed, timed out or ran out of memory.`,
    },
    FunctionThrottles: {
      metric: metrics.functionThrottles,
      counts: 'refused invocations',
      atLeast: 1,
      impact: `Clients get ${noAnswer} at once: Lambda has no free concurrency for the function.`,
    },
    SlowRequests: {
      metric: metrics.functionDuration,
      counts: 'milliseconds at the 99th percentile',
      // The store's time budget. The next limits are the early answer and Lambda's time-out.
      atLeast: STORE_BUDGET_MS,
      periods: { breaching: 2, of: 3 },
      impact: `One request in a hundred takes seconds and is close to ${noAnswer}.`,
    },
    TableThrottles: {
      metric: metrics.tableThrottles,
      counts: 'refused calls',
      atLeast: throttled,
      impact: `Clients wait for another attempt, or get ${slowDown}: DynamoDB throttles calls to a table.`,
    },
    TableErrors: {
      metric: metrics.tableErrors,
      counts: 'failed calls',
      atLeast: 3,
      impact: `Clients wait for another attempt, or get ${unavailable} or ${noAnswer}: DynamoDB has server errors.`,
    },
  } satisfies Record<string, AlarmDefinition>;
}

function makeAlarm(scope: Construct, id: string, stage: Stage, definition: AlarmDefinition): Alarm {
  const { metric, atLeast, periods = { breaching: 1, of: 1 }, impact } = definition;
  const section = sectionAddress('docs/runbook-alarms.md', id);
  return new Alarm(scope, id, {
    alarmName: `PlantStore-${stage.name}-${id}`,
    alarmDescription: `Impact: ${impact} ${figures(definition)} What to do: ${section}`,
    metric,
    threshold: atLeast,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: periods.of,
    datapointsToAlarm: periods.breaching,
    // No data means no requests, or none of this kind.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

/**
 * When an alarm fires and when it clears, in words. Without requests there is no data, and CloudWatch then looks at the last
 * data that there is, for some periods (CloudWatch User Guide, "Configuring how CloudWatch alarms treat missing data").
 */
function figures({ metric, atLeast, counts, periods }: AlarmDefinition): string {
  const minutes = metric.period.toMinutes();
  const time = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const fires = `${atLeast.toLocaleString('en')} or more ${counts} in ${time}`;
  const later = 'without requests, some minutes later';
  if (periods === undefined) return `Fires: ${fires}. Clears: ${time} with fewer; ${later}.`;
  const { breaching, of } = periods;
  return `Fires: ${fires}, ${breaching} times of ${of}. Clears: fewer than ${breaching} times of ${of}; ${later}.`;
}

function makeTopic(scope: Construct, stage: Stage): Topic {
  const topic = new Topic(scope, 'AlarmTopic', {
    displayName: `Plant Store ${stage.name}`,
    enforceSSL: true,
  });
  // A topic with its own policy loses the default one, and with it CloudWatch's permission to publish.
  const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });
  topic.grantPublish(cloudWatch);
  if (stage.alarmEmail !== undefined) {
    topic.addSubscription(new EmailSubscription(stage.alarmEmail));
  } else if (stage.isProtected) {
    Annotations.of(scope).addWarningV2(
      'plant-store:noAlarmEmail',
      `Alarms of ${stage.name} notify nobody: set alarmEmail in infra/stages.ts, or pass -c alarmEmail=…`,
    );
  }
  return topic;
}
