import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findStage } from '../../infra/find-stage.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { createPlant } from '../../lambda/create-plant.ts';
import { makeHandler } from '../../lambda/envelope.ts';
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
  startAws,
  withAws,
} from '../../test/support/aws-stand-in.ts';
import { listen } from '../../test/support/listen.ts';
import { hasTerminal, runInTerminal, runWithAws } from '../../test/support/run-command.ts';
import { examine } from './examine.ts';

type Lines = Readonly<Record<string, string>>;
type Results = Readonly<Record<string, unknown>>;

const file = readFileSync(new URL('doctor-account.yaml', import.meta.url), 'utf8');
const { healthy, changes } = parse(file) as {
  readonly healthy: { readonly responses: Results; readonly lines: Lines };
  readonly changes: readonly (Lines & { readonly responses?: Results; readonly stage?: Partial<Stage> })[];
};
/** An item of the table of access tokens; without days it is damaged. */
const token = ([name, days]: readonly [string, number?], n: number): Fields => ({
  digest: { S: `${n}`.repeat(64) },
  name: { S: name },
  created: { N: '1' },
  ...(days !== undefined && { expires: { N: String(Math.floor(Date.now() / 1000) + days * 86_400) } }),
});

/** The function, whose store must not be needed, behind the gateway's stand-in. */
const unused = () => Promise.reject(new Error('The store was asked.'));
const operation = createPlant({ accessTokens: { find: unused }, plants: { create: unused } });
const handler = makeHandler(operation, { writeLog: () => undefined, version: '7' });
const gateway = createGateway(handler);
const URL_OF_STAGE = await listen(gateway);
afterAll(() => void gateway.close());

/** The operations and the results that the abbreviations of the YAML stand for. */
const LONG: Readonly<Record<string, (result: never) => [operation: string, result: Fields]>> = {
  Throttle: ([rate, burst]: number[]) => [
    'GetStage',
    { methodSettings: { '*/*': { throttlingRateLimit: rate, throttlingBurstLimit: burst } } },
  ],
  Executions: ([quota, unreserved]: number[]) => [
    'GetAccountSettings',
    { AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved } },
  ],
  Tokens: (tokens: [string, number?][]) => ['Scan', { Items: tokens.map(token), Count: tokens.length }],
  Drift: ([StackDriftStatus, DriftedStackResourceCount, DetectionStatusReason]: [
    string,
    number,
    string?,
  ]) => [
    'DescribeStackDriftDetectionStatus',
    {
      DetectionStatus: 'DETECTION_COMPLETE',
      StackDriftStatus,
      DriftedStackResourceCount,
      DetectionStatusReason,
    },
  ],
};

/** The response that a result in the YAML stands for. */
function responseOf([name, short]: [string, unknown]): [string, HttpResponse] {
  const [operation, result] = LONG[name]?.(short as never) ?? [name, short];
  const [first = {}, second] = [result].flat() as Fields[];
  if (first.error) return [operation, error(String(first.error), '')];
  if (second === undefined) return [operation, is(first)];
  return [operation, ({ NextToken }) => is(NextToken ? second : { ...first, NextToken: 'more' })];
}
const deployedAt = (BaseUrl: string, status = 'UPDATE_COMPLETE', isProtected = false): Responses =>
  stack(status, { AccessTokensTable: 'Tokens', PlantsTable: 'Plants', BaseUrl }, undefined, isProtected);
function responsesOf(changed: Results = {}): Responses {
  const { Status, Protected, Plants, AccessTokens, ...results } = { ...healthy.responses, ...changed };
  const DescribeTable = ({ TableName }: Fields): Reply => {
    const Table = (TableName === 'Plants' ? Plants : AccessTokens) as Fields;
    return Table.error ? error(String(Table.error), '') : is({ Table });
  };
  const described = deployedAt(URL_OF_STAGE, String(Status), Protected === true);
  return { ...Object.fromEntries(Object.entries(results).map(responseOf)), DescribeTable, ...described };
}
const HEALTHY = responsesOf();

/** What the doctor finds in the healthy account with some responses changed. */
async function found(changed: Responses, stage: Stage = PROD, env: NodeJS.ProcessEnv = {}) {
  const lines: Record<string, string> = {};
  const work = async (calls: readonly Call[]) => {
    for await (const { name, verdict, says, mend } of examine(stage))
      lines[name] = `${verdict}: ${says.replace(/http\S+:\d+/, 'URL')}${mend ? ` -> ${mend}` : ''}`;
    return { lines, calls };
  };
  return withAws({ ...HEALTHY, ...changed }, work, env);
}

const expected = await found({});

/** The lines that differ from those of the healthy account. */
const differences = (lines: Lines): Lines =>
  Object.fromEntries(Object.entries(lines).filter(([name, line]) => line !== expected.lines[name]));

test('in an account without problems, each response is ok; the questions change nothing', () => {
  expect(expected.lines).toEqual(healthy.lines);
  const asked = Object.fromEntries(expected.calls.map(({ operation, input }) => [operation, input]));
  expect(asked).toMatchObject({
    GetParameter: { Name: '/cdk-bootstrap/hnb659fds/version' },
    DescribeStacks: { StackName: 'PlantStore-prod' },
    GetAlias: { FunctionName: 'create-plant', Name: 'live' },
    ListSubscriptionsByTopic: { TopicArn: 'arn:topic' },
    Scan: { TableName: 'Tokens', ConsistentRead: true },
    GetStage: { restApiId: 'rest1', stageName: 'prod' },
    GetFunctionConcurrency: { FunctionName: 'create-plant' },
    DescribeAlarms: { AlarmNames: ['PlantStore-prod-Faults', 'PlantStore-prod-Throttled'] },
    DescribeStackDriftDetectionStatus: { StackDriftDetectionId: 'one' },
    DescribeStackResourceDrifts: { StackName: 'PlantStore-prod' },
  });
  // Detecting drift changes nothing either.
  const reads = /^(Get|List|Describe|Scan|DetectStackDrift)/;
  expect(Object.keys(asked).filter((operation) => !reads.test(operation))).toEqual([]);
});

test.each(changes)('if $when, only this differs', async ({ when: _, responses, stage, ...changed }) => {
  const { lines } = await found(responsesOf(responses), { ...PROD, ...stage });
  expect(differences(lines)).toEqual(changed);
});

// Of a function without a reservation, GetFunctionConcurrency has an empty reply.
const READ = Object.keys(HEALTHY).filter((operation) => operation !== 'GetFunctionConcurrency');
test.each(READ)('after an empty reply to %s, what rests on it is not ok', async (operation) => {
  // In an unprotected stage nobody has to be notified.
  const { lines } = await found({ [operation]: is({}) }, { ...PROD, isProtected: false });
  const changed = Object.values(differences(lines));
  expect(changed).not.toEqual([]);
  for (const line of changed) expect(line).not.toMatch(/^ok/);
});

const denied = (action: string) =>
  error('AccessDenied', `User: ann is not authorized to perform: ${action} on resource: *`, 403);
const reason = (action: string) =>
  `not asked: AccessDenied: User: ann is not authorized to perform: ${action} on resource: * -> get the permission ${action}`;

test('a call that is denied, is throttled or fails affects only its own question', async () => {
  const { lines } = await found({
    GetParameter: denied('ssm:GetParameter'),
    GetAccountSettings: error('TooManyRequestsException', 'Rate exceeded', 429),
    DescribeAlarms: error('ThrottlingException', 'Rate exceeded'),
    Scan: error('InternalServerError', 'Oops', 500),
  });
  expect(differences(lines)).toEqual({
    bootstrap: reason('ssm:GetParameter'),
    concurrency: 'not asked: TooManyRequestsException: Rate exceeded -> ask again',
    'access tokens': 'not asked: InternalServerError: Oops -> ask again',
    alarms: 'not asked: ThrottlingException: Rate exceeded -> ask again',
  });
});

test('without permission to read the stack, the questions about the account are still asked', async () => {
  const { lines } = await found({ DescribeStacks: denied('cloudformation:DescribeStacks') });
  const { credentials, bootstrap, 'gateway logs': logs, ...others } = expected.lines;
  const refused = Object.keys(others).map((name) => [name, reason('cloudformation:DescribeStacks')]);
  expect(differences(lines)).toEqual(Object.fromEntries(refused));
});

test('before the first deployment, what the deployment creates is not a problem', async () => {
  const { lines } = await found({ DescribeStacks: noStack(), GetAccount: is({}) });
  const names = ['response', 'throttle', 'alarm email', 'access tokens', 'tables', 'alarms', 'drift'];
  expect(differences(lines)).toEqual({
    stack: 'not yet: PlantStore-prod is not deployed -> npm run deploy -- -c stage=prod',
    'gateway logs': 'ok: the account has no role for them; the deployment creates one',
    ...Object.fromEntries(names.map((name) => [name, 'not yet: the stage is not deployed'])),
  });
});

test('the doctor waits for the end of a drift detection', async () => {
  const states = [is({ DetectionStatus: 'DETECTION_IN_PROGRESS' })];
  const ended = HEALTHY.DescribeStackDriftDetectionStatus as Reply;
  const { lines } = await found({ DescribeStackDriftDetectionStatus: () => states.pop() ?? ended });
  expect(differences(lines)).toEqual({});
  expect(states).toEqual([]);
});

const SET = ' -> set credentials and a Region as for the AWS CLI: aws configure, aws sso login, AWS_REGION';
const expired = error('ExpiredToken', 'The token is expired', 403);
const none = { AWS_ACCESS_KEY_ID: undefined, AWS_EC2_METADATA_DISABLED: 'true' };
test.each<[string, Responses, NodeJS.ProcessEnv?, Partial<Stage>?]>([
  [`problem: ExpiredToken: The token is expired${SET}`, { GetCallerIdentity: expired }],
  [`problem: CredentialsProviderError: Could not load credentials from any providers${SET}`, {}, none],
  [`problem: Region is missing${SET}`, {}, { AWS_REGION: undefined }],
  [
    `problem: Stage prod belongs to account 444455556666, but the credentials are for account 111122223333.${SET}`,
    {},
    {},
    { account: '444455556666' },
  ],
  // What says nothing about the credentials.
  [
    'not asked: connect ECONNREFUSED 127.0.0.1:9 -> AWS cannot be reached: check the network, its proxy and the Region',
    {},
    { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
  ],
])('without usable credentials, nothing else is asked: %s', async (line, changed, env, stage) => {
  const { credentials, ...others } = (await found(changed, { ...PROD, ...stage }, env)).lines;
  expect(credentials).toBe(line);
  expect(Object.values(others)).toEqual(Array(11).fill('not asked: needs the account of the credentials'));
});

describe('the stage itself is asked, and', () => {
  /** What the doctor says about the response of a stage at an address; all its other lines must be healthy. */
  async function responseAt(url: string): Promise<string | undefined> {
    const { lines } = await found(deployedAt(url));
    const { response, ...others } = differences(lines);
    expect(others).toEqual({});
    return response;
  }

  test('an address where nothing listens is a problem', async () => {
    expect(await responseAt('http://127.0.0.1:9')).toBe(
      'problem: URL cannot be reached (ECONNREFUSED) -> check the network here, the DNS record and the certificate of the domain, and the line "drift"',
    );
  });

  test.each<[body: object | string, mend: string, says?: string]>([
    [{ error: 42901 }, 'docs/runbook-alarms.md#throttled'],
    [{ error: 50401 }, 'docs/runbook-alarms.md#gatewayerrors'],
    [{ error: 50001 }, 'docs/runbook-alarms.md#gatewayerrors'],
    [{ error: 40301 }, 'the firewall refuses this address; ask from another one'],
    ['Forbidden', 'npm run verify -- --stage prod'],
    // The number alone is not enough: the response lacks the headers of the contract.
    [{ error: 40101, message: 'No.' }, 'npm run verify -- --stage prod', 'challenge undefined'],
  ])('%j is a problem', async (body, mend, says = `returned 400 ${JSON.stringify(body)}, not`) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(400).end(JSON.stringify(body)));
    });
    const said = await responseAt(await listen(server));
    expect(said?.replace(' 400 with error 40101', '')).toBe(`problem: URL: ${says} -> ${mend}`);
    server.close();
  });
});

test('a stage with a Region is examined there', async () => {
  const { lines, calls } = await found({}, { ...PROD, region: 'eu-central-1', account: '111122223333' });
  expect(lines.credentials).toContain('111122223333, eu-central-1');
  expect([...new Set(calls.map(({ region }) => region))]).toEqual(['eu-central-1']);
});

describe('npm run doctor prints each response and a summary, and ends with', () => {
  /** Runs the command. @returns its exit code, the line of a question, and the summary */
  async function run(changed: Responses, question: string) {
    // The stage file may bind prod to an account.
    const { account: Account = '111122223333' } = findStage('prod');
    const GetCallerIdentity = is({ Account, Arn: 'arn:aws:me' });
    const responses = { ...HEALTHY, ...changed, GetCallerIdentity };
    const { code, out, err } = await runWithAws('doctor', ['--stage', 'prod'], responses);
    expect(out.split('\n')).toHaveLength(13);
    return [code, out.split('\n').find((line) => line.includes(`  ${question} `)), err];
  }

  test('1 if a question could not be asked', async () => {
    const line = 'not asked  bootstrap      Other: Oops';
    const summary = '11 ok, 0 with a problem, 1 not asked, 0 not yet.\n';
    expect(await run({ GetParameter: error('Other', 'Oops') }, 'bootstrap')).toEqual([1, line, summary]);
  });

  test('0 if the stage is not deployed', async () => {
    const line = 'not yet    alarms         the stage is not deployed';
    const summary = '4 ok, 0 with a problem, 0 not asked, 8 not yet.\n';
    expect(await run({ DescribeStacks: noStack() }, 'alarms')).toEqual([0, line, summary]);
  });

  test('1 if there is a problem', async () => {
    const line =
      'problem    alarm email    alarms notify nobody  -> set alarmEmail of the stage in infra/stages.ts, and deploy';
    const summary = '11 ok, 1 with a problem, 0 not asked, 0 not yet.\n';
    const nobody = { ListSubscriptionsByTopic: is({ Subscriptions: [] }) };
    expect(await run(nobody, 'alarm email')).toEqual([1, line, summary]);
  });
});

test.skipIf(!hasTerminal)('in a terminal, the whole verdict has a color, and nothing else', async () => {
  const aws = await startAws({});
  const { output } = await runInTerminal('doctor', ['--stage', 'prod'], { env: aws.env });
  aws.close();
  expect(output).toContain('\u001b[31mproblem\u001b[39m    credentials ');
  expect(output).toContain('\u001b[33mnot asked\u001b[39m  bootstrap ');
});
