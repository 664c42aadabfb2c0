import { Annotations, Aws } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { STORE_BUDGET_MS } from '../lambda/limits.ts';
import type { Metrics } from './metrics.ts';
import type { Stage } from './stages.ts';

/** One alarm: when it rings, who is hurt when it does, and where the runbook says what to do. */
interface AlarmText {
  readonly metric: IMetric;
  /** It rings at this value or above, in the metric's unit. */
  readonly atLeast: number;
  /** In how many of the last periods; absent: in the last one. */
  readonly periods?: { readonly breaching: number; readonly of: number };
  readonly whoIsHurt: string;
}

/** The alarms of a stage, by the id that the runbook has a section for. */
export type Alarms = Readonly<Record<keyof ReturnType<typeof alarmTexts>, Alarm>>;

/** Makes all alarms, and the topic that tells people of them. */
export function makeAlarms(scope: Construct, stage: Stage, metrics: Metrics): Alarms {
  const topic = makeTopic(scope, stage);
  const alarms = Object.entries(alarmTexts(stage, metrics)).map(([id, text]) => {
    const alarm = makeAlarm(scope, id, stage, text);
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
    return [id, alarm];
  });
  return Object.fromEntries(alarms);
}

function alarmTexts(stage: Stage, metrics: Metrics) {
  const { refusedTokens, throttled } = stage.aboveNormal;
  return {
    Faults: {
      metric: metrics.faults,
      atLeast: 1,
      whoIsHurt:
        'Clients get 50001 or 50401 through a fault of the service, and repeating may not help them.',
    },
    StoreUnavailable: {
      metric: metrics.unavailable,
      atLeast: 3,
      whoIsHurt: 'Clients get 50301: their plants are not stored, and they have to send them again.',
    },
    Throttled: {
      metric: metrics.throttled,
      atLeast: throttled,
      whoIsHurt: 'Clients get 42901 and have to slow down, perhaps because of somebody else.',
    },
    RefusedTokens: {
      metric: metrics.refusedTokens,
      atLeast: refusedTokens,
      whoIsHurt: 'A client whose access token ran out gets nothing done, or somebody is guessing tokens.',
    },
    NotCompleted: {
      metric: metrics.notCompleted,
      atLeast: 3,
      periods: { breaching: 2, of: 3 },
      whoIsHurt: 'Clients get 50401 after a wait: the function ended without answering, or without its line.',
    },
    GatewayErrors: {
      metric: metrics.gatewayErrors,
      atLeast: 1,
      whoIsHurt: 'Clients get 50001 or 50401 from the gateway, which got no usable answer from the function.',
    },
    FunctionErrors: {
      metric: metrics.functionErrors,
      atLeast: 1,
      whoIsHurt: 'Clients get 50401: the function crashed, timed out or ran out of memory.',
    },
    FunctionThrottles: {
      metric: metrics.functionThrottles,
      atLeast: 1,
      whoIsHurt: 'Clients get 50401 at once: Lambda has no free concurrency for the function.',
    },
    SlowRequests: {
      metric: metrics.functionDuration,
      // The store's whole budget is spent; what comes next is the early answer, and then Lambda's own time-out.
      atLeast: STORE_BUDGET_MS,
      periods: { breaching: 2, of: 3 },
      whoIsHurt: 'One client in a hundred waits for seconds and is about to get 50401.',
    },
    TableThrottles: {
      metric: metrics.tableThrottles,
      atLeast: throttled,
      whoIsHurt: 'Clients wait for another attempt, or get 42901: DynamoDB refuses calls to a table.',
    },
    TableErrors: {
      metric: metrics.tableErrors,
      atLeast: 3,
      whoIsHurt: 'Clients wait for another attempt, or get 50301 or 50401: DynamoDB itself has faults.',
    },
  } satisfies Record<string, AlarmText>;
}

function makeAlarm(scope: Construct, id: string, stage: Stage, text: AlarmText): Alarm {
  const { metric, atLeast, periods = { breaching: 1, of: 1 }, whoIsHurt } = text;
  return new Alarm(scope, id, {
    alarmName: `PlantStore-${stage.name}-${id}`,
    alarmDescription: `Who is hurt: ${whoIsHurt} What to do: docs/runbook.md#${id.toLowerCase()}`,
    metric,
    threshold: atLeast,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: periods.of,
    datapointsToAlarm: periods.breaching,
    // No data means no requests, or none of this kind.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

function makeTopic(scope: Construct, stage: Stage): Topic {
  const topic = new Topic(scope, 'AlarmTopic', {
    displayName: `Plant Store ${stage.name}`,
    enforceSSL: true,
  });
  // A topic with a policy of its own loses the default one, and with it CloudWatch's leave to publish.
  const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });
  topic.grantPublish(cloudWatch);
  if (stage.alarmEmail !== undefined) {
    topic.addSubscription(new EmailSubscription(stage.alarmEmail));
  } else if (stage.isProtected) {
    Annotations.of(scope).addWarningV2(
      'plant-store:noAlarmEmail',
      `Nobody is told when an alarm of ${stage.name} rings: give alarmEmail in infra/stages.ts, or -c alarmEmail=…`,
    );
  }
  return topic;
}
