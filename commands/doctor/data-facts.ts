import { CloudWatchClient, type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import {
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { ACCESS_TOKENS_KEY, OUTPUTS, PLANTS_KEY, type TableKey } from '../../infra/names.ts';
import { readAll } from '../shared/aws.ts';
import { daysLeft, type IssuedToken, SOON_DAYS } from '../shared/issued-token.ts';
import { TOKEN_NAME } from '../shared/stage-access.ts';
import { withTokenAdmin } from '../shared/with-token-admin.ts';
import { deployed, given, ifError, type Question } from './fact.ts';

/** It removes a maximum (DynamoDB API Reference, OnDemandThroughput); then DescribeTable has no field for it (github.com/go-to-k/cdkd, issue 1434, tried on AWS). */
const NONE = -1;

/** A table: its state, key, deletion protection, and ceilings, of which drift cannot see one that the template does not set. */
const table = (output: string, { name, type }: TableKey): Question => {
  return async (subject) => {
    const TableName = (await deployed(subject)).output(output);
    const seen = await new DynamoDBClient(subject.settings)
      .send(new DescribeTableCommand({ TableName }))
      .then(
        ({ Table }) => tableInWords(given(Table, 'Table')),
        ifError(ResourceNotFoundException, 'missing'),
      );
    const { isProtected, tableCeiling: { reads = NONE, writes = NONE } = {} } = subject.stage;
    const ceilings = `ceilings ${reads} and ${writes}`;
    const template = `ACTIVE, key ${name} (${type}), deletion protection ${isProtected}, ${ceilings}`;
    // In one command: DynamoDB refuses another update of a table while it is UPDATING (API Reference, UpdateTable).
    const throughput = `--on-demand-throughput MaxReadRequestUnits=${reads},MaxWriteRequestUnits=${writes}`;
    const update = `aws dynamodb update-table --table-name ${TableName} ${throughput}`;
    const undo = seen.endsWith(ceilings) ? 'docs/recover.md#undo-a-change-by-hand' : update;
    const mend = seen === 'missing' ? 'docs/recover.md#restore-a-deleted-table' : undo;
    return [`${TableName}: ${seen}`, template, mend, seen !== template];
  };
};

function tableInWords(found: TableDescription): string {
  const types = new Map(found.AttributeDefinitions?.map((each) => [each.AttributeName, each.AttributeType]));
  const names = given(found.KeySchema, 'KeySchema').map(({ AttributeName }) => AttributeName);
  const key = names.map((name) => `${name} (${types.get(name)})`).join();
  const isProtected = given(found.DeletionProtectionEnabled, 'DeletionProtectionEnabled');
  const { MaxReadRequestUnits: reads = NONE, MaxWriteRequestUnits: writes = NONE } =
    found.OnDemandThroughput ?? {};
  return `${found.TableStatus}, key ${key}, deletion protection ${isProtected}, ceilings ${reads} and ${writes}`;
}

export const plants = table(OUTPUTS.plantsTable, PLANTS_KEY);
export const tokens = table(OUTPUTS.accessTokensTable, ACCESS_TOKENS_KEY);

/** How long each client's last token is valid. `npm run verify` and `canary` are no clients. */
export const clients: Question = async (subject) => {
  const name = (await deployed(subject)).output(OUTPUTS.accessTokensTable);
  const { tokens, damaged } = await withTokenAdmin(name, subject.settings, (admin) => admin.list());
  // Ordered by expiry, so the map keeps the last token of each name to expire.
  const last = new Map(tokens.filter((each) => each.name !== TOKEN_NAME).map((each) => [each.name, each]));
  const ending = [...last.values()].filter((each) => daysLeft(each) < SOON_DAYS);
  const left = (each: IssuedToken) => (daysLeft(each) < 0 ? 'expired' : `${daysLeft(each)} days left`);
  const soon = ending.map((each) => `, ${each.name} (${left(each)})`).join('');
  const seen = `${last.size} clients${soon}${damaged.length > 0 ? `, ${damaged.length} damaged items` : ''}`;
  const where = `--stage ${subject.stage.name}`;
  const restore = `if clients had some, docs/recover.md#restore-to-a-point-in-time; in a new stage, npm run token -- issue first ${where}`;
  const mend = last.size === 0 ? restore : `npm run token -- list ${where}`;
  const isWrong = last.size === 0 || ending.length + damaged.length > 0;
  return [seen, `1 or more, each with a token for ${SOON_DAYS} days`, mend, isWrong];
};

/** Whom alarms notify. A subscription that is not confirmed, or deleted, says so in place of its ARN. */
export const alarmEmail: Question = async (subject) => {
  const { isProtected, alarmEmail: wanted } = subject.stage;
  const TopicArn = await (await deployed(subject)).physicalId('AWS::SNS::Topic');
  const pages = paginateListSubscriptionsByTopic({ client: new SNSClient(subject.settings) }, { TopicArn });
  const found = await readAll(pages, ({ Subscriptions }) => given(Subscriptions, 'Subscriptions'));
  const seen = found.map(({ Endpoint, SubscriptionArn: arn }) => {
    return given(Endpoint, 'Endpoint') + (arn?.startsWith('arn:') ? '' : ` (${arn})`);
  });
  const subscribe = `aws sns subscribe --topic-arn ${TopicArn} --protocol email --notification-endpoint EMAIL`;
  const mend = `open the link in the email from SNS, or set alarmEmail in infra/stages.ts and deploy; for another email: ${subscribe}`;
  const isEnough = wanted ? seen.includes(wanted) : seen.length > 0 || !isProtected;
  const template = wanted ?? (isProtected ? 'somebody' : 'nobody has to be notified');
  return [seen.join(', ') || 'nobody', template, mend, !isEnough || seen.some((each) => each.endsWith(')'))];
};

/** The state of each alarm of the stack. One without data has nothing to count (AWS re:Post, "Why is my CloudWatch alarm in INSUFFICIENT_DATA state?"). */
export const alarms: Question = async (subject) => {
  const stack = await deployed(subject);
  const names = (await stack.resources())
    .filter(({ ResourceType }) => ResourceType === 'AWS::CloudWatch::Alarm')
    .map(({ PhysicalResourceId }) => given(PhysicalResourceId, 'PhysicalResourceId'));
  if (names.length === 0) throw new Error('the stack has no alarm');
  const client = new CloudWatchClient(subject.settings);
  const pages = paginateDescribeAlarms({ client }, { AlarmNames: names });
  const found = await readAll(pages, ({ MetricAlarms }) => given(MetricAlarms, 'MetricAlarms'));
  const id = (name = '') => name.replace(`${stack.name}-`, '');
  const ids = (has: (alarm: MetricAlarm) => boolean) => found.filter(has).map((each) => id(each.AlarmName));
  const firing = ids(({ StateValue }) => given(StateValue, 'StateValue') === 'ALARM');
  const muted = ids(({ ActionsEnabled }) => !given(ActionsEnabled, 'ActionsEnabled'));
  const missing = names.filter((name) => !found.some(({ AlarmName }) => AlarmName === name)).map(id);
  const list = (what: string, of: string[]) => `; ${what}: ${of.join(' ') || 'none'}`;
  const seen = `${found.length}${list('firing', firing)}${list('muted', muted)}${list('missing', missing)}`;
  const undo = 'docs/recover.md#undo-a-change-by-hand';
  const mend = firing[0] ? `docs/runbook-alarms.md#${firing[0].toLowerCase()}` : undo;
  return [seen, `${names.length}; firing: none; muted: none; missing: none`, mend];
};
