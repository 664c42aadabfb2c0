import { isDeepStrictEqual } from 'node:util';
import { CloudWatchClient, type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { OUTPUTS } from '../../infra/names.ts';
import { daysLeft, isToken, SOON_DAYS, TOKEN_DAYS, withAccessTokens } from '../shared/access-tokens.ts';
import { readAll } from '../shared/aws.ts';
import { TOKEN_NAME } from '../shared/stage-access.ts';
import { deployed, type Question, required, type Subject, UNDO } from './fact.ts';

/** It removes a maximum (DynamoDB API Reference, OnDemandThroughput); then DescribeTable has no field for it (github.com/go-to-k/cdkd, issue 1434, tried on AWS). */
const NONE = -1;

/** A table: whether its data is there and protected, and its ceilings, of which drift cannot see one that the template does not set. */
const table = (output: string): Question => {
  return async (subject) => {
    const TableName = (await deployed(subject)).output(output);
    const { isProtected, tableCeiling: { reads = NONE, writes = NONE } = {} } = subject.stage;
    const expected = {
      table: TableName,
      state: 'ACTIVE',
      protection: isProtected,
      recovery: 'ENABLED',
      ceilings: [reads, writes],
    };
    const seen = await readTable(TableName, subject);
    if (!('ceilings' in seen)) return { seen, expected, repair: 'docs/recover.md#restore-a-deleted-table' };
    const hasCeilings = isDeepStrictEqual(seen.ceilings, expected.ceilings);
    // In one command: DynamoDB refuses another update of a table while it is UPDATING (API Reference, UpdateTable).
    const throughput = `--on-demand-throughput MaxReadRequestUnits=${reads},MaxWriteRequestUnits=${writes}`;
    const update = `aws dynamodb update-table --table-name ${TableName} ${throughput}`;
    return { seen, expected, repair: hasCeilings ? UNDO : update };
  };
};

async function readTable(TableName: string, { settings }: Subject) {
  const client = new DynamoDBClient(settings);
  const reply = await client.send(new DescribeTableCommand({ TableName })).catch((error) => {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
  if (reply === undefined) return { table: TableName, state: 'missing' };
  const found = required(reply.Table, 'Table');
  const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  const { MaxReadRequestUnits = NONE, MaxWriteRequestUnits = NONE } = found.OnDemandThroughput ?? {};
  return {
    table: TableName,
    state: required(found.TableStatus, 'TableStatus'),
    protection: found.DeletionProtectionEnabled,
    recovery: required(recovery, 'PointInTimeRecoveryDescription').PointInTimeRecoveryStatus,
    ceilings: [MaxReadRequestUnits, MaxWriteRequestUnits],
  };
}

export const plants = table(OUTPUTS.plantsTable);
export const tokens = table(OUTPUTS.accessTokensTable);

/** How long each client's last token is valid. `npm run verify` and `deploy` are no clients. */
export const clients: Question = async (subject) => {
  const name = (await deployed(subject)).output(OUTPUTS.accessTokensTable);
  const items = await withAccessTokens(name, subject.settings, (tokens) => tokens.list());
  const tokens = items.filter(isToken);
  const damaged = items.length - tokens.length;
  // Ordered by expiry, so the map keeps the last token of each name to expire.
  const last = new Map(
    tokens.filter((each) => each.name !== TOKEN_NAME).map((each) => [each.name, daysLeft(each)]),
  );
  // One that was written in milliseconds would never expire.
  const replace = [...last]
    .filter(([, days]) => days < SOON_DAYS || days > TOKEN_DAYS.most)
    .map(([client, days]) => `${client} (${days < 0 ? 'expired' : `${days} days left`})`);
  const where = `--stage ${subject.stage.name}`;
  const restore = `if clients had some, docs/recover.md#restore-access-tokens; in a new stage, npm run token -- issue first ${where}`;
  return {
    seen: { clients: last.size, replace, 'damaged items': damaged },
    expected: `1 or more, each with a token for ${SOON_DAYS} to ${TOKEN_DAYS.most} days`,
    repair: last.size === 0 ? restore : `npm run token -- list ${where}`,
    differs: last.size === 0 || replace.length + damaged > 0,
  };
};

/** Whom alarms notify. A subscription that is not confirmed, or deleted, says so in place of its ARN. */
export const alarmEmail: Question = async (subject) => {
  const { isProtected, alarmEmail: wanted } = subject.stage;
  const TopicArn = await (await deployed(subject)).physicalId('AWS::SNS::Topic');
  const pages = paginateListSubscriptionsByTopic({ client: new SNSClient(subject.settings) }, { TopicArn });
  const found = await readAll(pages, ({ Subscriptions }) => required(Subscriptions, 'Subscriptions'));
  const seen = found.map(({ Endpoint, SubscriptionArn: arn }) => {
    return required(Endpoint, 'Endpoint') + (arn?.startsWith('arn:') ? '' : ` (${arn})`);
  });
  const subscribe = `aws sns subscribe --topic-arn ${TopicArn} --protocol email --notification-endpoint EMAIL`;
  const isEnough = wanted ? seen.includes(wanted) : seen.length > 0 || !isProtected;
  return {
    seen,
    expected: wanted ?? (isProtected ? 'somebody' : 'nobody has to be notified'),
    repair: `open the link in the email from SNS, or set alarmEmail in infra/stages.ts and deploy; for another email: ${subscribe}`,
    differs: !isEnough || seen.some((each) => each.endsWith(')')),
  };
};

/** Each alarm of the stack. One without data has nothing to count (AWS re:Post, "Why is my CloudWatch alarm in INSUFFICIENT_DATA state?"). */
export const alarms: Question = async (subject) => {
  const stack = await deployed(subject);
  const names = (await stack.resources())
    .filter(({ ResourceType }) => ResourceType === 'AWS::CloudWatch::Alarm')
    .map(({ PhysicalResourceId }) => required(PhysicalResourceId, 'PhysicalResourceId'));
  if (names.length === 0) throw new Error('the stack has no alarm');
  const client = new CloudWatchClient(subject.settings);
  const pages = paginateDescribeAlarms({ client }, { AlarmNames: names });
  const found = await readAll(pages, ({ MetricAlarms }) => required(MetricAlarms, 'MetricAlarms'));
  const ids = (has: (alarm: MetricAlarm) => boolean) =>
    found.filter(has).map(({ AlarmName = '' }) => AlarmName.replace(`${stack.name}-`, ''));
  const firing = ids(({ StateValue }) => required(StateValue, 'StateValue') === 'ALARM');
  const muted = ids(({ ActionsEnabled }) => !required(ActionsEnabled, 'ActionsEnabled'));
  return {
    seen: { alarms: found.length, firing, muted },
    expected: { alarms: names.length, firing: [], muted: [] },
    repair: firing[0] ? `docs/runbook-alarms.md#${firing[0].toLowerCase()}` : UNDO,
  };
};
