import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import type { Stage } from '../../infra/stage-settings.ts';
import { STAGES } from '../../infra/stages.ts';
import { PLANTS_KEY } from '../../infra/table-keys.ts';
import { createPlant } from '../../lambda/create-plant.ts';
import { makeHandler } from '../../lambda/middleware.ts';
import { createGateway } from '../../local/gateway.ts';
import { listen } from '../../local/listen.ts';
import { copyOf, propertiesOf } from '../../test/infra/synth.ts';
import {
  type Call,
  error,
  type Fields,
  noStack,
  type OperationResponse,
  ok,
  type Reply,
  type Responses,
  withAws,
} from '../../test/support/aws-stand-in.ts';
import { runWithAws } from '../../test/support/run-command.ts';
import { EVERYTHING, PROD } from '../../test/support/test-stages.ts';
import { examine } from './examine.ts';

type Lines = Readonly<Record<string, string>>;
type Results = Readonly<Record<string, unknown>>;
/** With the lines that change. */
type Change = Results & {
  readonly when: string;
  readonly responses?: Results;
  readonly stage?: Partial<Stage>;
};

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const file = read('doctor-account.yaml').replaceAll('KEY_TYPE', PLANTS_KEY.type);
/** Files with more changes. */
const MORE_CHANGES: readonly string[] = ['identity-provider-changes.yaml'];
const moreChanges = MORE_CHANGES.flatMap((name): Change[] => parse(read(name)));
/** The account, whose stage is at an address. */
function accountAt(url: string) {
  return parse(file.replaceAll('URL', url), { merge: true }) as {
    readonly healthy: { readonly responses: Results; readonly lines: Lines };
    readonly changes: Readonly<Record<string, readonly Change[]>>;
  };
}

/** The function, whose store must not be needed, behind the gateway's stand-in. */
const unused = () => Promise.reject(new Error('The store was asked.'));
const operation = createPlant({ find: unused }, unused);
const gateway = createGateway(makeHandler(operation, { writeLog: () => undefined, version: '7' }));
const { healthy, changes } = accountAt(await listen(gateway));
afterAll(() => void gateway.close());

/** An item of the table of access tokens; without days it is damaged. */
const token = ([name, days]: readonly [string, number?], n: number): Fields => ({
  digest: { S: `${n}`.repeat(64) },
  name: { S: name },
  ...(days !== undefined && { expires: { N: String(Math.floor(Date.now() / 1000) + days * 86_400) } }),
});

/** The response that a result in the YAML stands for. */
function responseOf(result: Fields): OperationResponse {
  if (result.error) return error(String(result.error), '');
  if (!result.pages) return ok(result);
  const [first, second] = result.pages as [Fields, Fields];
  return ({ NextToken }) => ok(NextToken ? second : { ...first, NextToken: 'more' });
}
function responsesOf(results: Results): Responses {
  const { Scan, ...others } = results;
  const responses = Object.fromEntries(
    Object.entries(others).map(([key, each]) => [key, responseOf(each as Fields)]),
  );
  const Items = (Scan as [string, number?][]).map(token);
  const table = ({ TableName }: Fields) => responses[String(TableName)] as Reply;
  return { ...responses, Scan: ok({ Items, Count: Items.length }), DescribeTable: table };
}
const HEALTHY = responsesOf(healthy.responses);

/** What the doctor shows of the healthy account with some responses changed. */
function shown(changed: Responses, stage: Partial<Stage> = {}, env: NodeJS.ProcessEnv = {}) {
  const lines: Record<string, string> = {};
  const work = async (calls: readonly Call[]) => {
    for await (const { name, mark, says } of examine({ ...PROD, ...stage }))
      lines[name] = `${mark}: ${says.replace('  -> ', ' -> ')}`;
    return { lines, calls };
  };
  return withAws({ ...HEALTHY, ...changed }, work, env);
}

/** The lines that differ from those of the healthy account. */
const differences = (lines: Lines): Lines =>
  Object.fromEntries(Object.entries(lines).filter(([name, line]) => line !== healthy.lines[name]));

test('in a stage as its template says, nothing differs; the questions change nothing, and are asked in its Region', async () => {
  const place = { region: 'eu-west-1', account: '111122223333' };
  const { lines, calls } = await shown({}, place, { AWS_REGION: 'eu-central-1' });
  expect(lines).toEqual(healthy.lines);
  expect(new Set(calls.map(({ region }) => region))).toEqual(new Set(['eu-west-1']));
  const asked = Object.fromEntries(calls.map(({ operation, input }) => [operation, input]));
  expect(asked).toMatchObject({
    DescribeStacks: { StackName: 'PlantStore-prod' },
    GetAlias: { FunctionName: 'create-plant', Name: 'live' },
    GetFunctionConfiguration: { FunctionName: 'create-plant', Qualifier: '7' },
    ListSubscriptionsByTopic: { TopicArn: 'arn:topic' },
    Scan: { TableName: 'Tokens', ConsistentRead: true },
    GetStage: { restApiId: 'rest1', stageName: 'prod' },
    GetFunctionConcurrency: { FunctionName: 'create-plant' },
    DescribeAlarms: { AlarmNames: ['PlantStore-prod-Faults', 'PlantStore-prod-Throttled'] },
  });
  expect(Object.keys(asked).filter((operation) => !/^(Get|List|Describe|Scan)/.test(operation))).toEqual([]);
});

const inFull = ([name, line]: [string, unknown]) => {
  const wanted = healthy.lines[name]?.replace(/^same: (.+ \| )?/, '') ?? '';
  return [name, String(line).replace('EXPECTED', wanted)];
};

test.each([...Object.values(changes).flat(), ...moreChanges])(
  'only this differs: $when',
  async ({ when: _, responses, stage, ...facts }) => {
    const { lines } = await shown(responsesOf({ ...healthy.responses, ...responses }), stage);
    expect(differences(lines)).toEqual(Object.fromEntries(Object.entries(facts).map(inFull)));
  },
);

test('the alarms of a stage with a pager are expected as its template has them', async () => {
  const stage = { ...EVERYTHING, name: 'prod' };
  const types = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'];
  const alarms = (type: string) => Object.values<Fields>(propertiesOf(copyOf(stage), type));
  const resources = types.flatMap((ResourceType) =>
    alarms(ResourceType).map(({ AlarmName }) => ({ ResourceType, PhysicalResourceId: AlarmName })),
  );
  const topic = {
    LogicalResourceId: 'AlarmTopic',
    ResourceType: 'AWS::SNS::Topic',
    PhysicalResourceId: 'arn:topic',
  };
  const [metric = [], composite = []] = types.map((type) =>
    alarms(type).map((alarm) => ({
      ...JSON.parse(JSON.stringify(alarm).replaceAll('{AlarmTopic}', 'arn:topic')),
      StateValue: 'OK',
    })),
  );
  const seen = async (CompositeAlarms: object[]) => {
    const { lines } = await shown(
      {
        ListStackResources: ok({ StackResourceSummaries: [topic, ...resources] }),
        DescribeAlarms: ({ AlarmTypes }) =>
          ok({
            MetricAlarms: metric,
            ...([AlarmTypes].flat().includes('CompositeAlarm') && { CompositeAlarms }),
          }),
      },
      {
        pagerTopicArn: EVERYTHING.pagerTopicArn,
        expectsPlants: stage.expectsPlants,
        firewall: stage.firewall,
      },
    );
    return lines.alarms;
  };
  const all = `alarms: ${resources.length}, firing: none, muted: none, missing: none, with other actions:`;
  expect(composite).toHaveLength(1);
  expect(await seen(composite)).toBe(`same: ${all} none`);
  expect(await seen([{ ...composite[0], AlarmActions: [] }])).toContain(`differs: ${all} SilenceAlone | `);
});

/** Of the configuration of the function that serves. */
const OF_FUNCTION = ['live', 'identity provider'];
const OF_RESOURCES = [...OF_FUNCTION, 'throttle', 'reservation', 'gateway logs', 'alarm email', 'alarms'];
const OF_OUTPUTS = ['response', 'clients', 'plants table', 'tokens table'];
const OTHERS = 'GetAccountSettings GetAccount ListSubscriptionsByTopic DescribeTable DescribeAlarms';
test.each<[operations: string, unread: string[]]>([
  ['ListStackResources', OF_RESOURCES],
  ['DescribeStacks', ['stack', 'protection', ...OF_OUTPUTS, ...OF_RESOURCES]],
  ['GetFunctionConfiguration DescribeContinuousBackups', [...OF_FUNCTION, 'plants table', 'tokens table']],
  [
    `GetAlias GetStage Scan ${OTHERS}`,
    [
      ...OF_FUNCTION,
      ...OF_OUTPUTS.slice(1),
      'throttle',
      'concurrency',
      'gateway logs',
      'alarm email',
      'alarms',
    ],
  ],
])('an empty reply is no fact, and does not stop the other questions: %s', async (operations, unread) => {
  const changed = Object.fromEntries(operations.split(' ').map((operation) => [operation, ok({})]));
  // In an unprotected stage nobody has to be notified.
  const { lines } = await shown(changed, { isProtected: false });
  const found = Object.keys(lines).filter((name) => lines[name]?.startsWith('not read: '));
  expect(found.sort()).toEqual([...unread].sort());
});

const FIRST = ' | none: the first deployment of a stage sets its own';
test.each<[account: Fields, gatewayLogs: string]>([
  [{ throttleSettings: {} }, `same: none${FIRST}`],
  [
    { cloudwatchRoleArn: 'arn:aws:iam::111122223333:role/PlantStore-dev-ApiCloudWatchRole-1A2B3C' },
    `same: arn:aws:iam::111122223333:role/PlantStore-dev-ApiCloudWatchRole-1A2B3C${FIRST}`,
  ],
  [
    { cloudwatchRoleArn: 'arn:theirs' },
    `differs: arn:theirs${FIRST} -> the first deployment sets ours in its place, and is refused if this is another team's: docs/first-deployment.md#2-see-what-the-account-lacks`,
  ],
])('before the first deployment: the role for logs is %j', async (account, gatewayLogs) => {
  const { lines } = await shown({ DescribeStacks: noStack(), GetAccount: ok(account) });
  const { stack, 'gateway logs': logs, credentials, concurrency, ...others } = lines;
  expect(stack).toMatch(
    /^differs: not deployed in this account and Region .+ -> wrong account or Region\? see credentials; deleted\? docs\/recover.md#adopt-kept-tables; otherwise npm run deploy -- --stage prod --first$/,
  );
  expect(logs).toBe(gatewayLogs);
  expect(new Set(Object.values(others))).toEqual(new Set(['not read: the stage is not deployed']));
});

const NO_REGION = { AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined };
test.each<[string, Responses, Partial<Stage>?, NodeJS.ProcessEnv?]>([
  ['Nothing was read: Region is missing; set AWS_REGION.', {}, {}, NO_REGION],
  [
    'Region is missing; set AWS_REGION, or check that the files of the AWS CLI have the profile typo, with a region.',
    {},
    {},
    { ...NO_REGION, AWS_PROFILE: 'typo' },
  ],
  ["Nothing was read: STS's response has no account.", { GetCallerIdentity: ok({}) }],
  [
    'Stage prod belongs to account 444455556666, but the credentials are for account 111122223333.',
    {},
    { account: '444455556666' },
  ],
])('without usable credentials, nothing is read: %s', async (message, changed, stage, env) => {
  await expect(shown(changed, stage, env)).rejects.toThrow(message);
});

const SILENCE = 'docs/runbook-alarms.md#silence';
const NETWORK = 'from another network, see docs/company.md#a-private-api';
const THROTTLE = 'the stage is stopped, or its throttle is used up: see the line throttle';
const PRIVATE = { vpcEndpoints: ['vpce-0123456789abcdef0'] };
test.each<[body: string | undefined, seen: string, repair: string, stage?: Partial<Stage>]>([
  [undefined, 'URL cannot be reached (ECONNREFUSED)', SILENCE],
  [undefined, 'URL cannot be reached (ECONNREFUSED)', NETWORK, PRIVATE],
  ['{"error":42901}', 'url: URL, status: 400, error: 42901', THROTTLE],
  ['{"error":50401}', 'url: URL, status: 400, error: 50401', 'docs/runbook-alarms.md#gatewayerrors'],
  ['Forbidden', 'url: URL, status: 400, error: 0', SILENCE],
  // The number alone is not enough: the response lacks the headers of the contract.
  [
    '{"error":40101,"message":"No."}',
    "url: URL, status: 400, error: 40101, but: The response is not the service's but that of a proxy or of AWS: no x-request-id (docs/company.md#a-proxy-in-front-of-the-service).",
    SILENCE,
  ],
])('a response of the stage that differs: %s', async (body, seen, repair, stage) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(400).end(body));
  });
  const url = await listen(server);
  if (body === undefined) server.close();
  const { lines } = await shown(responsesOf(accountAt(url).healthy.responses), stage);
  server.close();
  const response = `differs: ${seen.replace('URL', url)} | url: ${url}, status: 400, error: 40101 -> ${repair}`;
  expect(differences(lines)).toEqual({ response });
});

const { name: _, ...SETTINGS } = PROD;
test('npm run doctor prints each fact, and what it did not ask', async () => {
  // The stage file may have other settings.
  const prod = vi.spyOn(STAGES as Record<string, object>, 'prod', 'get').mockReturnValue(SETTINGS);
  const doctor = (changed: Responses) =>
    runWithAws('doctor', ['--stage', 'prod'], { ...HEALTHY, ...changed });
  const hostile = { GetCallerIdentity: ok({ Account: '111122223333', Arn: 'arn:aws:a\u009b\nsame' }) };
  const good = await doctor(hostile);
  const unread = await doctor({ GetStage: error('Other', 'Oops') });
  prod.mockRestore();
  expect(good.out.split('\n')).toContain(
    'seen      credentials   account: 111122223333, Region: eu-west-1, as: arn:aws:a\\u009b same',
  );
  expect(unread.out.split('\n')).toContain('not read  throttle      Other: Oops');
  const err =
    ' not read. Not asked: what else was changed by hand (npx cdk drift -c stage=prod), ' +
    'and whether a plant is accepted (npm run verify -- --stage prod).\n';
  expect(good).toMatchObject({ code: 0, err: `0 differ, 0${err}` });
  expect(unread).toMatchObject({ code: 1, err: `0 differ, 1${err}` });
});
