import { isDeepStrictEqual } from 'node:util';
import {
  AlarmType,
  CloudWatchClient,
  type CompositeAlarm,
  type MetricAlarm,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import {
  type AlarmDefinition,
  alarmDefinitions,
  notifiesPager,
  SILENCE_ALONE,
} from '../../infra/alarm-definitions.ts';
import { hasOwnTokens } from '../../infra/optional-code.ts';
import { OUTPUTS } from '../../infra/stack-names.ts';
import { ACCESS_TOKENS_KEY, PLANTS_KEY, type TableKey } from '../../infra/table-keys.ts';
import { daysLeft, isToken, SOON_DAYS, TOKEN_DAYS, withAccessTokens } from '../shared/access-tokens.ts';
import type { ClientSettings } from '../shared/aws.ts';
import type { DeployedStack } from '../shared/deployed-stack.ts';
import { STAGE_TOKEN_NAME } from '../shared/stage-token.ts';
import { type Question, required, UNDO } from './fact.ts';

/** It removes a maximum (DynamoDB API Reference, OnDemandThroughput); then DescribeTable has no field for it (github.com/go-to-k/cdkd, issue 1434, tried on AWS). */
const NONE = -1;

/** A table, and its ceilings, of which drift cannot see one that the template does not set. */
const table = (nameOf: (stack: DeployedStack) => string, { name, type }: TableKey): Question => {
  return async ({ stage, deployed, settings }) => {
    const TableName = nameOf(await deployed);
    const { isProtected, keyArn, tableCeiling: { reads = NONE, writes = NONE } = {} } = stage;
    const expected = {
      table: TableName,
      state: 'ACTIVE',
      key: `${name} (${type})`,
      protection: isProtected,
      recovery: 'ENABLED',
      billing: 'PAY_PER_REQUEST',
      ceilings: [reads, writes],
      ...(keyArn && { encryption: keyArn }),
    };
    const seen = await readTable(TableName, settings, stage.keyArn !== undefined);
    if (!('ceilings' in seen)) return { seen, expected, repair: 'docs/recover.md#restore-a-deleted-table' };
    const hasCeilings = isDeepStrictEqual(seen.ceilings, expected.ceilings);
    // In one command: DynamoDB refuses another update of a table while it is UPDATING (API Reference, UpdateTable).
    const throughput = `--on-demand-throughput MaxReadRequestUnits=${reads},MaxWriteRequestUnits=${writes}`;
    const update = `aws dynamodb update-table --table-name ${TableName} ${throughput}`;
    return { seen, expected, repair: hasCeilings ? UNDO : update };
  };
};

async function readTable(TableName: string, settings: ClientSettings, hasKey: boolean) {
  const client = new DynamoDBClient(settings);
  const reply = await client.send(new DescribeTableCommand({ TableName })).catch((error) => {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
  if (reply === undefined) return { table: TableName, state: 'missing' };
  const found = required(reply.Table, 'Table');
  const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  const types = new Map(found.AttributeDefinitions?.map((each) => [each.AttributeName, each.AttributeType]));
  const key = required(found.KeySchema, 'KeySchema').map(
    ({ AttributeName: name }) => `${name} (${types.get(name)})`,
  );
  const { MaxReadRequestUnits = NONE, MaxWriteRequestUnits = NONE } = found.OnDemandThroughput ?? {};
  return {
    table: TableName,
    state: found.TableStatus,
    key: key.join(),
    protection: found.DeletionProtectionEnabled,
    recovery: required(recovery, 'PointInTimeRecoveryDescription').PointInTimeRecoveryStatus,
    // Absent from a table that was never on demand (API Reference, BillingModeSummary).
    billing: found.BillingModeSummary?.BillingMode ?? 'PROVISIONED',
    ceilings: [MaxReadRequestUnits, MaxWriteRequestUnits],
    ...(hasKey && { encryption: found.SSEDescription?.KMSMasterKeyArn ?? "DynamoDB's own key" }),
  };
}

/** Of a stage that issues no tokens. */
const NO_TOKENS = {
  seen: 'none',
  expected:
    'others are accepted; a table of tokens that a protected stage had stays until somebody deletes it',
  repair: false,
} as const;

export const plants = table((stack) => stack.output(OUTPUTS.plantsTable), PLANTS_KEY);
const ofTokens = table((stack) => stack.accessTokensTable(), ACCESS_TOKENS_KEY);
export const tokens: Question = async (subject) =>
  hasOwnTokens(subject.stage) ? ofTokens(subject) : NO_TOKENS;

/** How long each client's last token is valid. `npm run verify` and `deploy` are no clients. */
export const clients: Question = async ({ stage, deployed, settings }) => {
  if (!hasOwnTokens(stage)) return NO_TOKENS;
  const name = (await deployed).accessTokensTable();
  const items = await withAccessTokens(name, settings, (tokens) => tokens.list());
  const tokens = items.filter(isToken);
  const damaged = items.length - tokens.length;
  // Ordered by expiry, so the map keeps the last token of each name to expire.
  const ofClients = tokens.filter((each) => each.name !== STAGE_TOKEN_NAME);
  const last = new Map(ofClients.map((each) => [each.name, daysLeft(each)]));
  // One that was written in milliseconds would never expire.
  const replace = [...last]
    .filter(([, days]) => days < SOON_DAYS || days > TOKEN_DAYS.most)
    .map(([client, days]) => `${client} (${days < 0 ? 'expired' : `${days} days left`})`);
  const where = `--stage ${stage.name}`;
  const restore = `if clients had some, docs/recover.md#restore-access-tokens; in a new stage, npm run token -- issue first ${where}`;
  const list = replace.length + damaged > 0 && `npm run token -- list ${where}`;
  return {
    seen: { clients: last.size, replace, 'damaged items': damaged },
    expected: `1 or more, each with a token for ${SOON_DAYS} to ${TOKEN_DAYS.most} days`,
    repair: last.size === 0 ? restore : list,
  };
};

/** Whom alarms notify. A subscription that is not confirmed, or deleted, says so in place of its ARN. */
export const alarmEmail: Question = async ({ stage, deployed, settings }) => {
  const { isProtected, alarmEmail: wanted } = stage;
  const TopicArn = await (await deployed).physicalId('AWS::SNS::Topic', 'AlarmTopic');
  const pages = paginateListSubscriptionsByTopic({ client: new SNSClient(settings) }, { TopicArn });
  const found = await Array.fromAsync(pages, (page) => required(page.Subscriptions, 'Subscriptions'));
  // One that was deleted stays in the list for some time, also if the address has a new one.
  const ofEmail = Map.groupBy(found.flat(), ({ Endpoint }) => required(Endpoint, 'Endpoint'));
  const subscribed = [...ofEmail].map(([email, subscriptions]) => {
    const arns = subscriptions.map(({ SubscriptionArn }) => SubscriptionArn);
    return { email, problem: arns.some((arn) => arn?.startsWith('arn:')) ? undefined : arns.join() };
  });
  const problems = subscribed.filter(({ problem }) => problem !== undefined).map(({ email }) => email);
  // A deployment changes nothing here: the stack still has a subscription that was deleted by its link.
  const again = [...problems, ...(wanted && !ofEmail.has(wanted) ? [wanted] : [])].map(
    (email) =>
      `aws sns subscribe --topic-arn ${TopicArn} --protocol email --notification-endpoint ${email}; `,
  );
  const repair =
    again.length > 0
      ? `${again.join('')}then docs/operate.md#keep-the-alarms-emails`
      : ofEmail.size === 0 && isProtected && 'set alarmEmail in infra/stages.ts, and deploy';
  return {
    seen: subscribed.map(({ email, problem }) => (problem === undefined ? email : `${email} (${problem})`)),
    expected: wanted ?? (isProtected ? 'somebody' : 'nobody has to be notified'),
    repair,
  };
};

/** What both kinds of alarms have. */
type Alarm = Pick<
  MetricAlarm & CompositeAlarm,
  'AlarmName' | 'StateValue' | 'ActionsEnabled' | 'AlarmActions' | 'OKActions'
>;

/** Each alarm of ours in the stack. One without data has nothing to count (AWS re:Post, "Why is my CloudWatch alarm in INSUFFICIENT_DATA state?"). */
export const alarms: Question = async ({ stage, deployed, settings }) => {
  const { pagerTopicArn } = stage;
  const definitions: Record<string, AlarmDefinition> = alarmDefinitions(stage);
  const stack = await deployed;
  const types = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'];
  const resources = (await Promise.all(types.map((type) => stack.resources(type)))).flat();
  const id = (name = '') => name.replace(`${stack.name}-`, '');
  const names = resources
    .map((each) => required(each.PhysicalResourceId, 'PhysicalResourceId'))
    .filter((name) => id(name) === SILENCE_ALONE || Object.hasOwn(definitions, id(name)));
  if (names.length === 0) throw new Error('the stack has no alarm');
  const topic = await stack.physicalId('AWS::SNS::Topic', 'AlarmTopic');
  const client = new CloudWatchClient(settings);
  // Without the types, only those of metrics are described.
  const described = { AlarmNames: names, AlarmTypes: [AlarmType.MetricAlarm, AlarmType.CompositeAlarm] };
  const pages = paginateDescribeAlarms({ client }, described);
  const all = await Array.fromAsync(pages, ({ MetricAlarms, CompositeAlarms = [] }) => [
    ...required<Alarm[]>(MetricAlarms, 'MetricAlarms'),
    ...CompositeAlarms,
  ]);
  const found = all.flat();
  const ids = (has: (alarm: Alarm) => boolean) => found.filter(has).map((each) => id(each.AlarmName));
  const isMisdirected = ({ AlarmName, AlarmActions = [], OKActions = [] }: Alarm) => {
    const definition = definitions[id(AlarmName)];
    const pager = pagerTopicArn && (!definition || notifiesPager(definition)) ? [pagerTopicArn] : [];
    const wanted = [...(definition ? [topic] : []), ...pager].sort().join();
    return [AlarmActions, OKActions].some((actions) => actions.toSorted().join() !== wanted);
  };
  const firing = ids(({ StateValue }) => required(StateValue, 'StateValue') === 'ALARM');
  return {
    seen: {
      alarms: found.length,
      firing,
      muted: ids(({ ActionsEnabled }) => !required(ActionsEnabled, 'ActionsEnabled')),
      missing: names.filter((name) => !found.some(({ AlarmName }) => AlarmName === name)).map(id),
      'with other actions': ids(isMisdirected),
    },
    expected: { alarms: names.length, firing: [], muted: [], missing: [], 'with other actions': [] },
    repair: firing[0] ? `docs/runbook-alarms.md#${firing[0].toLowerCase()}` : UNDO,
  };
};
