import { readFileSync } from 'node:fs';
import { Annotations, Aws, CfnOutput } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  type CfnAlarm,
  ComparisonOperator,
  CompositeAlarm,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { type AlarmDefinition, alarmDefinitions, notifiesPager, SILENCE_ALONE } from './alarm-definitions.ts';
import { acceptedWithin, type Metrics } from './metrics.ts';
import { stackName } from './stack-names.ts';
import type { Stage } from './stage-settings.ts';

/** The alarms of a stage. Each id is also the title of a section of docs/runbook-alarms.md. */
export type Alarms = { readonly [Id in keyof ReturnType<typeof alarmDefinitions>]: Alarm };

/** Makes all alarms, and the topic that notifies people. Those that page also notify the pager, if there is one. */
export function makeAlarms(scope: Construct, stage: Stage, metrics: Metrics, key?: IKey): Alarms {
  const { pagerTopicArn } = stage;
  const everybody = new SnsAction(makeTopic(scope, stage, key));
  const pager = pagerTopicArn && new SnsAction(Topic.fromTopicArn(scope, 'Pager', pagerTopicArn));
  const definitions = Object.entries<AlarmDefinition>(alarmDefinitions(stage));
  const alarms = definitions.map(([id, definition]) => {
    const alarm = makeAlarm(scope, id, stage, metrics, definition);
    notify(alarm, everybody);
    return { id, alarm, ...definition };
  });
  if (pager) {
    const others = alarms.filter(notifiesPager).map(({ alarm }) => alarm);
    const silence = alarms.find(({ fires }) => 'silentMinutes' in fires);
    for (const alarm of others) notify(alarm, pager);
    if (silence) notify(silenceAlone(scope, stage, silence.alarm, others), pager);
  }
  return Object.fromEntries(alarms.map(({ id, alarm }) => [id, alarm])) as Alarms;
}

function notify(alarm: AlarmBase, action: SnsAction): void {
  alarm.addAlarmAction(action);
  // A pager closes its incident when the alarm is over.
  alarm.addOkAction(action);
}

function silenceAlone(scope: Construct, stage: Stage, silence: Alarm, others: readonly Alarm[]): AlarmBase {
  return new CompositeAlarm(scope, SILENCE_ALONE, {
    compositeAlarmName: `${stackName(stage.name)}-${SILENCE_ALONE}`,
    alarmDescription: `The alarm Silence fires, and no alarm that pages tells why. What to do: ${sectionOf('Silence')}`,
    actionsEnabled: true,
    alarmRule: AlarmRule.allOf(silence, AlarmRule.not(AlarmRule.anyOf(...others))),
  });
}

function makeAlarm(
  scope: Construct,
  id: string,
  stage: Stage,
  metrics: Metrics,
  definition: AlarmDefinition,
): Alarm {
  const { fires, periods = { breaching: 1, of: 1 }, impact } = definition;
  const isSilence = 'silentMinutes' in fires;
  const metric = isSilence
    ? acceptedWithin(fires.silentMinutes, metrics.accepted)
    : metrics[definition.metric];
  const minutes = metric.period.toMinutes();
  const alarm = new Alarm(scope, id, {
    alarmName: `${stackName(stage.name)}-${id}`,
    alarmDescription: `Impact: ${impact} ${figures(definition, minutes)} What to do: ${sectionOf(id)}`,
    // The default, but drift detection compares only what the template sets (CloudFormation API reference, StackResourceDrift).
    actionsEnabled: true,
    metric,
    threshold: isSilence ? 1 : fires.atLeast,
    comparisonOperator: isSilence
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: periods.of,
    datapointsToAlarm: periods.breaching,
    // No data means no requests, or none of this kind.
    treatMissingData: isSilence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  // Clients of a new stage send nothing yet. An update does not repeat the wait (CloudWatch User Guide, "Alarm warm-up periods").
  if (isSilence)
    (alarm.node.defaultChild as CfnAlarm).warmUpConfiguration = {
      warmUpPeriodDurationInMinutes: minutes,
      // Otherwise data ends it, and the 0 of FILL is data.
      onlyStartEvaluatingAfterWarmUpPeriodEnds: true,
    };
  return alarm;
}

/** The section of the runbook: an address if package.json has that of the repository, else a path in the repository. */
function sectionOf(id: string): string {
  const { repository } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const section = `docs/runbook-alarms.md#${id.toLowerCase()}`;
  return /^https:/.test(repository)
    ? `${repository.replace(/(\.git)?\/?$/, '')}/blob/main/${section}`
    : section;
}

/**
 * When an alarm fires and when it clears, in words. Without requests there is no data, and CloudWatch then looks at the last
 * data that there is, for some periods (CloudWatch User Guide, "Configuring how CloudWatch alarms treat missing data").
 */
function figures({ fires: when, counts, periods }: AlarmDefinition, minutes: number): string {
  const time = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  if ('silentMinutes' in when) return `Fires: no ${counts} in ${time}. Clears: with the next one.`;
  const fires = `${when.atLeast.toLocaleString('en')} or more ${counts} in ${time}`;
  const later = 'without requests, some minutes later';
  if (periods === undefined) return `Fires: ${fires}. Clears: ${time} with fewer; ${later}.`;
  const { breaching, of } = periods;
  return `Fires: ${fires}, in ${breaching} of ${of} periods. Clears: in fewer than ${breaching} of ${of}; ${later}.`;
}

function makeTopic(scope: Construct, stage: Stage, key?: IKey): Topic {
  const topic = new Topic(scope, 'AlarmTopic', {
    displayName: `Plant Store ${stage.name}`,
    enforceSSL: true,
    masterKey: key,
  });
  new CfnOutput(scope, 'AlarmTopicArn', { description: 'The topic of the alarms', value: topic.topicArn });
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
      `Alarms of ${stage.name} send no email: set alarmEmail in infra/stages.ts, or pass -c alarmEmail=…`,
    );
  }
  return topic;
}
