import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { paginateListSubscriptionsByTopic, SNSClient, type Subscription } from '@aws-sdk/client-sns';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { OUTPUTS } from '../../infra/names.ts';
import { AccessTokenAdmin, daysLeft, type IssuedToken, SOON_DAYS } from '../access-token-admin.ts';
import { deployed, ok, problem, type Question } from './question.ts';

export const alarmEmail: Question = {
  name: 'alarm e-mail',
  async ask(subject) {
    const topic = await (await deployed(subject)).physicalId('AWS::SNS::Topic');
    const subscriptions: Subscription[] = [];
    const client = new SNSClient(subject.settings);
    for await (const page of paginateListSubscriptionsByTopic({ client }, { TopicArn: topic }))
      subscriptions.push(...(page.Subscriptions ?? []));
    // Other subscriptions have "PendingConfirmation" or "Deleted" in place of an ARN.
    const waiting = subscriptions.find(({ SubscriptionArn }) => !SubscriptionArn?.startsWith('arn:'));
    if (waiting)
      return problem(
        `${waiting.Endpoint} has not confirmed its subscription (${waiting.SubscriptionArn})`,
        `open the link in the e-mail of SNS; for another e-mail: aws sns subscribe --topic-arn ${topic} --protocol ${waiting.Protocol} --notification-endpoint ${waiting.Endpoint}`,
      );
    if (subscriptions.length > 0)
      return ok(`alarms notify ${subscriptions.map(({ Endpoint }) => Endpoint).join(', ')}`);
    if (!subject.stage.isProtected) return ok('alarms notify nobody, which is enough for this stage');
    return problem('alarms notify nobody', 'set alarmEmail of the stage in infra/stages.ts, and deploy');
  },
};

export const accessTokens: Question = {
  name: 'access tokens',
  async ask(subject) {
    const table = (await deployed(subject)).output(OUTPUTS.accessTokensTable);
    const { name: stage } = subject.stage;
    const issue = (name: string) => `npm run token -- issue ${name} --stage ${stage}`;
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(subject.settings));
    const tokens = await new AccessTokenAdmin(client, table).list();
    if (tokens.length === 0) return problem('there are none, so every request is refused', issue('first'));
    // Ordered by expiry, so of two tokens of one name the second replaces the first.
    const last = [...new Map(tokens.map((token): [string, IssuedToken] => [token.name, token])).values()];
    const ending = last.filter((token) => daysLeft(token) < SOON_DAYS);
    const [first] = ending;
    if (!first) return ok(`each of ${last.length} clients has one for at least ${SOON_DAYS} days`);
    const list = ending.map((token) =>
      daysLeft(token) < 0 ? `${token.name} (expired)` : `${token.name} (${daysLeft(token)} days left)`,
    );
    return problem(`near their end: ${list.join(', ')}`, issue(first.name));
  },
};

export const alarms: Question = {
  name: 'alarms',
  async ask(subject) {
    await deployed(subject);
    const prefix = `PlantStore-${subject.stage.name}-`;
    const client = new CloudWatchClient(subject.settings);
    const all: string[] = [];
    const firing: string[] = [];
    for await (const page of paginateDescribeAlarms({ client }, { AlarmNamePrefix: prefix })) {
      for (const { AlarmName = '', StateValue } of page.MetricAlarms ?? []) {
        const id = AlarmName.slice(prefix.length);
        // The prefix of "dev" also matches "dev-anna".
        if (id.includes('-')) continue;
        all.push(id);
        if (StateValue === 'ALARM') firing.push(id);
      }
    }
    const [first] = firing;
    if (first) return problem(`firing: ${firing.join(', ')}`, `docs/runbook.md#${first.toLowerCase()}`);
    if (all.length === 0) return problem('there are none', `npx cdk deploy -c stage=${subject.stage.name}`);
    return ok(`none of ${all.length} is firing`);
  },
};
