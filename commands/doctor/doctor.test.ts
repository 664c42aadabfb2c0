import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import type { Stage } from '../../infra/stage-settings.ts';
import { STAGES } from '../../infra/stages.ts';
import { createPlant } from '../../lambda/create-plant.ts';
import { makeHandler } from '../../lambda/middleware.ts';
import { createGateway } from '../../local/gateway.ts';
import {
  type Call,
  error,
  type Fields,
  type HttpResponse,
  is,
  noStack,
  PROD,
  type Reply,
  type Responses,
  stack,
  withAws,
} from '../../test/support/aws-stand-in.ts';
import { listen } from '../../test/support/listen.ts';
import { runWithAws } from '../../test/support/run-command.ts';
import { examine } from './examine.ts';

type Lines = Readonly<Record<string, string>>;
type Results = Readonly<Record<string, unknown>>;
interface Change {
  readonly when: string;
  readonly responses?: Results;
  readonly stage?: Partial<Stage>;
  readonly [fact: string]: unknown;
}

const file = readFileSync(new URL('doctor-account.yaml', import.meta.url), 'utf8');
const { healthy, changes } = parse(file, { merge: true }) as {
  readonly healthy: { readonly responses: Results; readonly lines: Lines };
  readonly changes: Readonly<Record<string, readonly Change[]>>;
};
/** An item of the table of access tokens; without days it is damaged. */
const token = ([name, days]: readonly [string, number?], n: number): Fields => ({
  digest: { S: `${n}`.repeat(64) },
  name: { S: name },
  ...(days !== undefined && { expires: { N: String(Math.floor(Date.now() / 1000) + days * 86_400) } }),
});

/** The function, whose store must not be needed, behind the gateway's stand-in. */
const unused = () => Promise.reject(new Error('The store was asked.'));
const operation = createPlant({ accessTokens: { find: unused }, plants: { create: unused } });
const gateway = createGateway(makeHandler(operation, { writeLog: () => undefined, version: '7' }));
const URL_OF_STAGE = await listen(gateway);
afterAll(() => void gateway.close());

/** The response that a result in the YAML stands for. */
function responseOf([operation, result]: [string, unknown]): [string, HttpResponse] {
  const [first = {}, second] = [result].flat() as Fields[];
  if (first.error) return [operation, error(String(first.error), '')];
  if (second === undefined) return [operation, is(first)];
  return [operation, ({ NextToken }) => is(NextToken ? second : { ...first, NextToken: 'more' })];
}
const deployedAt = (BaseUrl: string, status = 'UPDATE_COMPLETE', isProtected = true): Responses =>
  stack(status, { AccessTokensTable: 'Tokens', PlantsTable: 'Plants', BaseUrl }, undefined, isProtected);
function responsesOf(changed: Results = {}): Responses {
  const { Status, Protected, Plants, AccessTokens, Tokens, ...results } = {
    ...healthy.responses,
    ...changed,
  };
  const DescribeTable = ({ TableName }: Fields): Reply => {
    const Table = (TableName === 'Plants' ? Plants : AccessTokens) as Fields;
    return Table.error ? error(String(Table.error), '') : is({ Table });
  };
  const described = deployedAt(URL_OF_STAGE, String(Status), Protected === true);
  const Items = (Tokens as [string, number?][]).map(token);
  const Scan = is({ Items, Count: Items.length });
  return {
    Scan,
    ...Object.fromEntries(Object.entries(results).map(responseOf)),
    DescribeTable,
    ...described,
  };
}
const HEALTHY = responsesOf();

/** What the doctor shows of the healthy account with some responses changed. */
async function shown(changed: Responses, stage: Stage = PROD, env: NodeJS.ProcessEnv = {}) {
  const lines: Record<string, string> = {};
  const work = async (calls: readonly Call[]) => {
    for await (const { name, mark, says } of examine(stage))
      lines[name] = `${mark}: ${says.replace('  -> ', ' -> ').replaceAll(/http:\/\/127.0.0.1:\d+/g, 'URL')}`;
    return { lines, calls };
  };
  return withAws({ ...HEALTHY, ...changed }, work, env);
}

const expected = await shown({});

/** The lines that differ from those of the healthy account. */
const differences = (lines: Lines): Lines =>
  Object.fromEntries(Object.entries(lines).filter(([name, line]) => line !== expected.lines[name]));

test('in a stage as its template says, nothing differs; the questions change nothing', () => {
  expect(expected.lines).toEqual(healthy.lines);
  const asked = Object.fromEntries(expected.calls.map(({ operation, input }) => [operation, input]));
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

test.each(Object.values(changes).flat())(
  'only this differs: $when',
  async ({ when: _, responses, stage, ...facts }) => {
    const { lines } = await shown(responsesOf(responses), { ...PROD, ...stage });
    expect(differences(lines)).toEqual(Object.fromEntries(Object.entries(facts).map(inFull)));
  },
);

test('an empty reply is no fact, and does not stop the other questions', async () => {
  const unread = async (...operations: string[]) => {
    const changed = Object.fromEntries(operations.map((operation) => [operation, is({})]));
    // In an unprotected stage nobody has to be notified.
    const { lines } = await shown(changed, { ...PROD, isProtected: false });
    return Object.keys(lines).filter((name) => lines[name]?.startsWith('not read: '));
  };
  const ofResources = ['live', 'throttle', 'reservation', 'gateway logs', 'alarm email', 'alarms'];
  expect(await unread('ListStackResources')).toEqual(ofResources);
  const ofStack = ['stack', 'protection', 'response', 'clients', 'plants table', 'tokens table'];
  expect((await unread('DescribeStacks')).sort()).toEqual([...ofStack, ...ofResources].sort());
  expect(await unread('GetFunctionConfiguration', 'DescribeContinuousBackups')).toEqual([
    'live',
    'plants table',
    'tokens table',
  ]);
  const others = [
    'GetAccountSettings',
    'GetAccount',
    'ListSubscriptionsByTopic',
    'DescribeTable',
    'DescribeAlarms',
  ];
  expect(await unread('GetAlias', 'GetStage', 'Scan', ...others)).toEqual([
    ...['live', 'throttle', 'concurrency', 'gateway logs', 'alarm email', 'clients', 'plants table'],
    ...['tokens table', 'alarms'],
  ]);
});

test.each<[account: Fields, gatewayLogs: string]>([
  [{ throttleSettings: {} }, 'same: none | none: the first deployment of a stage sets its own'],
  [
    { cloudwatchRoleArn: 'arn:theirs' },
    'differs: arn:theirs | none: the first deployment of a stage sets its own -> ' +
      'the next deployment takes it over from whose role this is, so agree with them first',
  ],
])('before the first deployment: the role for logs is %j', async (account, gatewayLogs) => {
  const { lines } = await shown({ DescribeStacks: noStack(), GetAccount: is(account) });
  const { stack, 'gateway logs': logs, credentials, concurrency, ...others } = lines;
  expect(stack).toMatch(
    /^differs: not deployed in this account and Region .+ -> wrong account or Region\? see credentials; deleted\? docs\/recover.md#adopt-kept-tables; otherwise npm run deploy -- --stage prod --first$/,
  );
  expect(logs).toBe(gatewayLogs);
  expect(new Set(Object.values(others))).toEqual(new Set(['not read: the stage is not deployed']));
});

const expired = error('ExpiredToken', 'The token is expired', 403);
const other = { account: '444455556666' };
test.each<[string, Responses, NodeJS.ProcessEnv?, Partial<Stage>?]>([
  ['Nothing was read: ExpiredToken: The token is expired', { GetCallerIdentity: expired }],
  [
    'Nothing was read: Region is missing; set AWS_REGION.',
    {},
    { AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined },
  ],
  ["Nothing was read: STS's response has no account.", { GetCallerIdentity: is({}) }],
  [
    'Stage prod belongs to account 444455556666, but the credentials are for account 111122223333.',
    {},
    {},
    other,
  ],
])('without usable credentials, nothing is read: %s', async (message, changed, env, stage) => {
  await expect(shown(changed, { ...PROD, ...stage }, env)).rejects.toThrow(message);
});

const SILENCE = ' -> docs/runbook-alarms.md#silence';
test.each<[body: string | undefined, seen: string, mend: string]>([
  [undefined, 'URL cannot be reached (ECONNREFUSED)', SILENCE],
  [
    '{"error":42901}',
    'url: URL, status: 400, error: 42901',
    ' -> the stage is stopped, or its throttle is used up: see the line throttle',
  ],
  ['{"error":50401}', 'url: URL, status: 400, error: 50401', ' -> docs/runbook-alarms.md#gatewayerrors'],
  ['Forbidden', 'url: URL, status: 400, error: 0', SILENCE],
  // The number alone is not enough: the response lacks the headers of the contract.
  [
    '{"error":40101,"message":"No."}',
    'url: URL, status: 400, error: 40101, but: content-type undefined',
    SILENCE,
  ],
])('a response of the stage that differs: %s', async (body, seen, mend) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(400).end(body));
  });
  const url = await listen(server);
  if (body === undefined) server.close();
  const { response, ...others } = differences((await shown(deployedAt(url))).lines);
  server.close();
  expect(others).toEqual({});
  expect(response).toBe(`differs: ${seen} | url: URL, status: 400, error: 40101${mend}`);
});

test('a private API is reached from its own network only', async () => {
  const stage = { ...PROD, vpcEndpoints: ['vpce-0123456789abcdef0'] };
  const { response } = (await shown(deployedAt('http://127.0.0.1:1'), stage)).lines;
  expect(response).toContain(' cannot be reached (ECONNREFUSED)');
  expect(response).toContain(' -> from another network, see docs/company.md#a-private-api');
});

test('a stage with a Region is examined there', async () => {
  const { lines, calls } = await shown({}, { ...PROD, region: 'eu-central-1', account: '111122223333' });
  expect(lines.credentials).toContain('111122223333, Region: eu-central-1');
  expect([...new Set(calls.map(({ region }) => region))]).toEqual(['eu-central-1']);
});

const { name: _, ...SETTINGS } = PROD;
test.each<[Responses, code: number, line: string, counts: string]>([
  [
    { GetCallerIdentity: is({ Account: '111122223333', Arn: 'arn:aws:a\u009b\nsame' }) },
    0,
    'seen      credentials   account: 111122223333, Region: eu-west-1, as: arn:aws:a\\u009b same',
    '0 differ, 0 not read',
  ],
  [{ GetStage: error('Other', 'Oops') }, 1, 'not read  throttle      Other: Oops', '0 differ, 1 not read'],
])('npm run doctor prints each fact, and what it did not ask: %#', async (changed, exit, line, counts) => {
  // The stage file may have other settings.
  const prod = vi.spyOn(STAGES as Record<string, object>, 'prod', 'get').mockReturnValue(SETTINGS);
  const { code, out, err } = await runWithAws('doctor', ['--stage', 'prod'], { ...HEALTHY, ...changed });
  prod.mockRestore();
  expect(out.split('\n')).toContain(line);
  expect(err).toBe(
    `${counts}. Not asked: what else was changed by hand (npx cdk drift -c stage=prod), ` +
      'and whether a plant is accepted (npm run verify -- --stage prod).\n',
  );
  expect(code).toBe(exit);
});
