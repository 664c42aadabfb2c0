import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { daysLeft, type IssuedToken, SOON_DAYS } from '../../infra/access-tokens/issued-token.ts';
import { withTokenAdmin } from '../../infra/access-tokens/with-token-admin.ts';
import { readAll } from '../../infra/deployed/aws.ts';
import { OUTPUTS } from '../../infra/names.ts';
import { deployed, type Finding, ok, problem, type Question } from './question.ts';

export const alarmEmail: Question = async (subject) => {
  const topic = await (await deployed(subject)).physicalId('AWS::SNS::Topic');
  const client = new SNSClient(subject.settings);
  const pages = paginateListSubscriptionsByTopic({ client }, { TopicArn: topic });
  const subscriptions = await readAll(pages, ({ Subscriptions }) => Subscriptions);
  // Other subscriptions have "PendingConfirmation" or "Deleted" in place of an ARN.
  const waiting = subscriptions.find(({ SubscriptionArn }) => !SubscriptionArn?.startsWith('arn:'));
  if (waiting)
    return problem(
      `${waiting.Endpoint} has not confirmed its subscription (${waiting.SubscriptionArn})`,
      `open the link in the email from SNS; for another email: aws sns subscribe --topic-arn ${topic} --protocol ${waiting.Protocol} --notification-endpoint ${waiting.Endpoint}`,
    );
  if (subscriptions.length > 0)
    return ok(`alarms notify ${subscriptions.map(({ Endpoint }) => Endpoint).join(', ')}`);
  if (!subject.stage.isProtected) return ok('alarms notify nobody, which is enough for this stage');
  return problem('alarms notify nobody', 'set alarmEmail of the stage in infra/stages.ts, and deploy');
};

export const plants: Question = async (subject) => {
  const table = (await deployed(subject)).output(OUTPUTS.plantsTable);
  const command = new DescribeTableCommand({ TableName: table });
  const described = await new DynamoDBClient(subject.settings).send(command).catch(ifMissing(table));
  if ('verdict' in described) return described;
  const status = described.Table?.TableStatus;
  // A table keeps serving while its settings are changed.
  if (status === 'ACTIVE' || status === 'UPDATING') return ok(`the table ${table} is there`);
  return problem(
    `the table ${table} cannot be used yet, or no longer: ${status}`,
    `aws dynamodb describe-table --table-name ${table}`,
  );
};

/** A missing table is a problem, not a question that could not be asked. @returns a function that throws other errors */
function ifMissing(table: string): (error: unknown) => Finding {
  return (error) => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    return problem(`the table ${table} does not exist`, 'docs/runbook-procedures.md#restore-a-deleted-table');
  };
}

export const accessTokens: Question = async (subject) => {
  const table = (await deployed(subject)).output(OUTPUTS.accessTokensTable);
  const issue = (name: string) => `npm run token -- issue ${name} --stage ${subject.stage.name}`;
  const found = await withTokenAdmin(table, subject.settings, (admin) => admin.list()).catch(
    ifMissing(table),
  );
  if ('verdict' in found) return found;
  const { tokens } = found;
  if (tokens.length === 0) return problem('there are none, so every request is refused', issue('first'));
  // Ordered by expiry, so the map keeps the last token of each name to expire.
  const last = [...new Map(tokens.map((token): [string, IssuedToken] => [token.name, token])).values()];
  const ending = last.filter((token) => daysLeft(token) < SOON_DAYS);
  const [first] = ending;
  if (!first) return ok(`each of ${last.length} clients has one for at least ${SOON_DAYS} days`);
  const list = ending.map((token) =>
    daysLeft(token) < 0 ? `${token.name} (expired)` : `${token.name} (${daysLeft(token)} days left)`,
  );
  return problem(`expired or expiring soon: ${list.join(', ')}`, issue(first.name));
};

export const alarms: Question = async (subject) => {
  const { name } = await deployed(subject);
  const client = new CloudWatchClient(subject.settings);
  const pages = paginateDescribeAlarms({ client }, { AlarmNamePrefix: `${name}-` });
  // The prefix of "dev" also matches "dev-anna".
  const own = (await readAll(pages, ({ MetricAlarms }) => MetricAlarms))
    .map(({ AlarmName = '', StateValue }) => ({ id: AlarmName.slice(name.length + 1), StateValue }))
    .filter(({ id }) => !id.includes('-'));
  const firing = own.filter(({ StateValue }) => StateValue === 'ALARM').map(({ id }) => id);
  const [first] = firing;
  if (first) return problem(`firing: ${firing.join(', ')}`, `docs/runbook-alarms.md#${first.toLowerCase()}`);
  if (own.length === 0) return problem('there are none', `npm run deploy -- -c stage=${subject.stage.name}`);
  return ok(`none of ${own.length} is firing`);
};
