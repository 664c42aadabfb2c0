import { CloudWatchClient, type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { readAll } from '../../operate/deployed/aws.ts';
import { allProblems, deployed, given, ok, problem, type Question } from './question.ts';

export const alarmEmail: Question = async (subject) => {
  const topic = await (await deployed(subject)).physicalId('AWS::SNS::Topic');
  const client = new SNSClient(subject.settings);
  const pages = paginateListSubscriptionsByTopic({ client }, { TopicArn: topic });
  const subscriptions = await readAll(pages, ({ Subscriptions }) => given(Subscriptions, 'Subscriptions'));
  // Other subscriptions have "PendingConfirmation" or "Deleted" in place of an ARN.
  const waiting = subscriptions.find(({ SubscriptionArn }) => !SubscriptionArn?.startsWith('arn:'));
  if (waiting)
    return problem(
      `${waiting.Endpoint} has not confirmed its subscription (${waiting.SubscriptionArn})`,
      `open the link in the email from SNS; for another email: aws sns subscribe --topic-arn ${topic} --protocol ${waiting.Protocol} --notification-endpoint ${waiting.Endpoint}`,
    );
  if (subscriptions.length > 0)
    return ok(`alarms notify ${subscriptions.map(({ Endpoint }) => given(Endpoint, 'Endpoint')).join(', ')}`);
  if (!subject.stage.isProtected) return ok('alarms notify nobody, which is enough for this stage');
  return problem('alarms notify nobody', 'set alarmEmail of the stage in infra/stages.ts, and deploy');
};

/**
 * Whether each alarm of the stack exists, has its actions enabled and is not firing. An alarm without data is no problem: each
 * begins like this, and returns to it if nothing happens that its metric counts (AWS re:Post, "Why is my CloudWatch alarm in
 * INSUFFICIENT_DATA state?").
 */
export const alarms: Question = async (subject) => {
  const stack = await deployed(subject);
  const names = (await stack.resources())
    .filter(({ ResourceType }) => ResourceType === 'AWS::CloudWatch::Alarm')
    .map(({ PhysicalResourceId }) => given(PhysicalResourceId, 'PhysicalResourceId'));
  if (names.length === 0)
    return problem('the stack has none', `npm run deploy -- -c stage=${subject.stage.name}`);
  const client = new CloudWatchClient(subject.settings);
  const pages = paginateDescribeAlarms({ client }, { AlarmNames: names });
  const described = await readAll(pages, ({ MetricAlarms }) => given(MetricAlarms, 'MetricAlarms'));
  const where = (matches: (alarm: MetricAlarm) => boolean) =>
    described.filter(matches).map(({ AlarmName }) => String(AlarmName));
  const missing = names.filter((name) => !described.some(({ AlarmName }) => AlarmName === name));
  const firing = where(({ StateValue }) => given(StateValue, 'StateValue') === 'ALARM');
  const muted = where(({ ActionsEnabled }) => !given(ActionsEnabled, 'ActionsEnabled'));
  const quiet = where(({ StateValue }) => StateValue === 'INSUFFICIENT_DATA');
  const id = (name: string) => name.replace(`${stack.name}-`, '');
  const line = (says: string, alarms: string[], mend: string) =>
    alarms.length > 0 ? [problem(`${says}: ${alarms.map(id).join(', ')}`, mend)] : [];
  const found = [
    ...line('firing', firing, `docs/runbook-alarms.md#${id(firing[0] ?? '').toLowerCase()}`),
    ...line('muted', muted, `aws cloudwatch enable-alarm-actions --alarm-names ${muted.join(' ')}`),
    ...line('missing', missing, 'docs/recover.md#undo-a-change-by-hand'),
  ];
  const says = `all ${names.length} of the stack have their actions enabled, and none is firing; ${quiet.length} without data`;
  return allProblems(found, says);
};
