import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OTHER } from '../../contract/examples.ts';
import { findStage } from '../../infra/find-stage.ts';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import {
  error,
  is,
  noStack,
  type Reply,
  type Responses,
  stack,
  startAws,
  withAws,
} from '../../test/support/aws-stand-in.ts';
import { listen } from '../../test/support/listen.ts';
import { startCommand } from '../../test/support/local-process.ts';
import { expectRefusal, runHere } from '../../test/support/run-command.ts';
import { storedItems } from '../../test/support/stored-item.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { startTestService } from '../../test/support/test-service.ts';
import { synthesize } from '../guard/templates.ts';
import { serviceAt } from '../verify/running-service.ts';
import { checkUntil } from './check-until.ts';

const service = await startTestService();
type Handler = typeof service.handler;
/** The new version of stage prod's function, and which requests the alias sends to it. */
let newVersion: Handler = service.handler;
const isForNew = (request: number) => request % 3 === 0;
let requests = 0;
/** Aborted when so many requests have arrived. */
let over = new AbortController();
let most = 0;
const server = createGateway(
  (event, context) => {
    requests += 1;
    if (requests >= most) over.abort();
    return (isForNew(requests) ? newVersion : service.handler)(event, context);
  },
  { log: () => undefined },
);
const url = await listen(server);
afterAll(async () => {
  server.close();
  await service.close();
});

/** Stands in for the CDK: a program `cdk`. @returns the environment of `npm run deploy` with it, and with what words it was called */
function startCdk(program: string) {
  const folder = temporaryFolder();
  const words = path.join(folder, 'words');
  writeFileSync(words, '');
  const script = `#!/bin/sh\necho "$@" >'${words}'\n${program}\n`;
  writeFileSync(path.join(folder, 'cdk'), script, { mode: 0o755 });
  const env = {
    AWS_ACCESS_KEY_ID: service.store.accessKeyId,
    AWS_ENDPOINT_URL_DYNAMODB: service.store.endpoint,
    // Between two calls, the store may close the idle connection.
    AWS_MAX_ATTEMPTS: '2',
    PATH: `${folder}${path.delimiter}${process.env.PATH}`,
  };
  return { env, words: () => readFileSync(words, 'utf8').trim() };
}

const [prod, dev] = [synthesize(findStage('prod')), synthesize(findStage('dev'))] as const;
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const alias = (FunctionVersion: string) => is({ FunctionVersion, Description: `commit ${COMMIT}` });
const denied = error('AccessDeniedException', 'no permission');

/** What AWS says of a stage: the stack's status, empty if there is none, and the alias, before the CDK starts and after. */
const AWS = {
  status: 'UPDATE_COMPLETE',
  statusAfter: 'UPDATE_COMPLETE',
  before: alias('12'),
  after: alias('13'),
};

/** Responses about the stages. @param hasStarted whether the CDK has started */
function responsesOf(
  { status, statusAfter, before, after }: typeof AWS,
  hasStarted: () => boolean,
): Responses {
  const outputs = { BaseUrl: url, AccessTokensTable: LOCAL_TABLES.accessTokens };
  const template = (name: unknown) => JSON.stringify(name === 'PlantStore-dev' ? dev : prod);
  const ifThere = (reply: Reply) => (status !== '' || hasStarted() ? reply : noStack());
  const LogicalResourceId = 'any';
  const versions = [
    { LogicalResourceId, ResourceType: 'AWS::Lambda::Function', PhysicalResourceId: 'a' },
    { LogicalResourceId, ResourceType: 'AWS::Lambda::Version', PhysicalResourceId: 'arn:a:12' },
  ];
  return {
    GetTemplate: ({ StackName }) => ifThere(is({ TemplateBody: template(StackName) })),
    DescribeStacks: () => ifThere(stack(hasStarted() ? statusAfter : status, outputs).DescribeStacks),
    ListStackResources: is({ StackResourceSummaries: versions }),
    GetAlias: () => (hasStarted() ? after : before),
  };
}

/** The names of the tokens that the command has issued and not revoked. */
async function issuedTokens(): Promise<unknown[]> {
  const { Items = [] } = await service.client.send(new ScanCommand({ TableName: LOCAL_TABLES.accessTokens }));
  return Items.map(({ name }) => name?.S).filter((name) => name === 'verify');
}

/** Runs the command, with a CDK that ends at once with a code. @returns its lines, and the words of the CDK */
async function deploy(args: string[], aws: Partial<typeof AWS> = {}, more: Responses = {}, code = 0) {
  const cdk = startCdk(`exit ${code}`);
  const responses = { ...responsesOf({ ...AWS, ...aws }, () => cdk.words() !== ''), ...more };
  const { out, ...ended } = await withAws(responses, () => runHere('deploy', args), cdk.env);
  expect(await issuedTokens()).toEqual([]);
  return {
    ...ended,
    lines: out
      .trimEnd()
      .replace(/Checks: [1-9]\d*/, 'Checks: N')
      .split('\n'),
    cdk: cdk.words(),
  };
}
const PROD = ['--stage', 'prod'];
const CDK = 'deploy --require-approval never -c stage=prod --progress events';
const NOTHING_LOST = /^PlantStore-prod: nothing would be lost \(\d+ resources checked/;
const CHECKED =
  'Checks are made until it is over. If they fail, stop it: docs/deploy.md#roll-back-a-deployment';
const HELD = 'Checks: N; failures: 0; throttled: 0.';
const NOT_REACHED = 'It is not known whether a check reached the new version during its canary.';
const IS_13 = 'PlantStore-prod is served by version 13 (100 %); before: 12.';
const FIRST_13 = 'PlantStore-prod is served by version 13 (100 %).';
const DIAGNOSE =
  'Next: npx cdk diagnose --unstable=diagnose -c stage=prod, then docs/deploy.md#a-deployment-that-failed-halfway';
const good = `The deployment has succeeded. ${HELD}`;
const failed = `The deployment has failed. ${HELD}`;
const IS_12 = 'PlantStore-prod is served by version 12 (100 %), as before.';

test('a deployment says what is checked, how it has ended, what serves, and what to do', async () => {
  const { lines, ...ended } = await deploy(PROD);
  const guard = [expect.stringMatching(NOTHING_LOST), '  Which commit is deployed is not known.'];
  expect(lines).toEqual([...guard, CHECKED, good, NOT_REACHED, IS_13, 'Next: nothing; the checks held.']);
  expect(ended).toEqual({ code: 0, err: '', cdk: CDK });
});

test('if CodeDeploy rolls back, the CDK and the deployment fail', async () => {
  const { lines, code } = await deploy(PROD, { after: alias('12') }, {}, 1);
  expect([code, lines.slice(-3)]).toEqual([1, [failed, IS_12, DIAGNOSE]]);
});

test('a stack that has failed before is not deployed, although the CDK finds nothing to change and succeeds', async () => {
  const status = { status: 'UPDATE_FAILED', statusAfter: 'UPDATE_FAILED' };
  const { lines, code } = await deploy(PROD, { ...status, after: alias('12') });
  expect(lines).toContain('No checks are made: the stack is UPDATE_FAILED.');
  expect(lines).toContain('The CDK has succeeded, but the state of the stack is UPDATE_FAILED.');
  expect([code, lines.at(-1)]).toEqual([1, DIAGNOSE]);
});

const ALL_AT_ONCE = `${CDK.replace('prod', 'prod -c canary=off')} --profile deploy`;
const DEV_IS_13 = IS_13.replace('prod', 'dev');
test.each<[args: string, cdk: string, reason: string, serves: string, aws?: Partial<typeof AWS>]>([
  ['--stage prod --first', CDK, 'stage prod is not deployed yet', FIRST_13, { status: '' }],
  ['--stage prod --no-canary -- --profile deploy', ALL_AT_ONCE, 'the canary is off', IS_13],
  ['', CDK.replace('prod', 'dev'), 'stage dev has no canary', DEV_IS_13],
])('no checks are made: npm run deploy -- %s', async (words, cdk, reason, serves, aws) => {
  const { lines, ...ended } = await deploy(words.split(' ').filter(Boolean), aws);
  expect(lines.slice(-4, -1)).toEqual([
    `No checks are made: ${reason}.`,
    'The deployment has succeeded.',
    serves,
  ]);
  expect(lines.at(-1)).toMatch(/^Next: npm run verify -- --stage (prod|dev)$/);
  expect(ended).toEqual({ code: 0, err: '', cdk });
});

test('what the guard refuses is not deployed, unless it is accepted', async () => {
  const Resources = { ...prod.Resources, Kept: { Type: 'AWS::DynamoDB::GlobalTable' } };
  const more = { GetTemplate: is({ TemplateBody: JSON.stringify({ ...prod, Resources }) }) };
  const { lines, ...refused } = await deploy(PROD, {}, more);
  expect(refused).toEqual({ code: 1, err: '', cdk: '' });
  expect(lines.slice(-2)).toEqual([expect.stringMatching(/: --allow Kept$/), 'Nothing was deployed.']);
  expect(await deploy([...PROD, '--allow', 'Kept'], {}, more)).toMatchObject({ code: 0, cdk: CDK });
});

test('nothing is deployed if it is not known what serves', async () => {
  const err = 'Nothing was deployed: AccessDeniedException: no permission\n';
  expect(await deploy(PROD, { before: denied })).toMatchObject({ code: 1, err, cdk: '' });
});

test.each<[string[], RegExp]>([
  [[...PROD, '--', '-c', 'stage=dev'], /^Use --stage and --no-canary/],
  [['prod'], /^Use --stage NAME for the stage/],
])('refused: npm run deploy -- %j', (args, message) => expectRefusal('deploy', args, { code: 2, message }));

test('after Ctrl-C, the CDK is stopped and the token revoked', async () => {
  const cdk = startCdk('exec sleep 60');
  requests = 0;
  const aws = await startAws(responsesOf(AWS, () => false));
  const { child, ended } = startCommand('deploy', PROD, { env: { ...aws.env, ...cdk.env } });
  const isBusy = vi.waitUntil(() => requests > 0 && cdk.words() !== '', { timeout: 50_000 });
  await Promise.race([isBusy, ended]);
  expect(await issuedTokens()).toEqual(['verify']);
  child.kill('SIGINT');
  const { code, err } = await ended;
  aws.close();
  expect(err).toBe(
    'Interrupted: cdk deploy had started and has ended. What CloudFormation has begun goes on: npm run doctor -- --stage prod ' +
      'shows its state, docs/deploy.md#roll-back-a-deployment how to stop it.\n',
  );
  expect(code).toBe(1);
  expect(await issuedTokens()).toEqual([]);
});

describe('the checks while a canary runs', () => {
  const printed: string[] = [];
  beforeEach(() => {
    [newVersion, requests, over] = [service.handler, 0, new AbortController()];
    service.lines.length = 0;
    printed.length = 0;
    vi.spyOn(console, 'info').mockImplementation((line) => void printed.push(String(line)));
  });
  afterEach(() => void vi.restoreAllMocks());

  /** Makes checks until so many requests have arrived, with short pauses. @param share of the new version */
  function check(count: number, share = async () => 0) {
    most = count;
    const once = serviceAt(url, service.token, { isOnce: true });
    return checkUntil(over.signal, once, 'prod', { share, pause: 1 });
  }

  /** A version that responds with other headers, and perhaps another body. */
  const responding =
    (body: unknown, statusCode = 400, headers: Record<string, string> = {}): Handler =>
    async (event, context) => {
      const response = await service.handler(event, context);
      return {
        ...response,
        statusCode,
        headers: { ...response.headers, ...headers },
        body: JSON.stringify(body),
      };
    };
  const refusing = (error: number, headers: Record<string, string>) =>
    responding({ error, message: 'Not now.' }, 400, headers);
  const COMMAND =
    / \(request ([\w-]{36})\).*\n {2}npm run logs -- --stage prod --query request --request \1$/;
  test.each<[what: string, version: Handler, says: string, command: RegExp]>([
    ['responds with another plant', responding(OTHER, 200), JSON.stringify(OTHER), COMMAND],
    ['throttles, but says not when to retry', refusing(42901, {}), '{"error":42901,', COMMAND],
    // A second attempt would reach the earlier version.
    ['is unavailable', refusing(50301, { 'retry-after': '2' }), '{"error":50301,', COMMAND],
    // A part of a command that a shell would run.
    [
      'responds with a strange id',
      refusing(50001, { 'x-request-id': '1;$(id)' }),
      '{"error":50001,',
      /^[^\n]*$/,
    ],
  ])(
    'each failure of a version that %s is counted, and printed with the command that finds its cause',
    async (_, version, says, command) => {
      newVersion = version;
      const { failures } = await check(6);
      expect(failures).toBeGreaterThan(0);
      const line = expect.stringMatching(command);
      expect(printed).toEqual(Array(failures).fill(line));
      for (const each of printed) expect(each).toMatch(/^\d\d:\d\d:\d\d /);
      expect(printed[0]).toContain(says);
    },
  );

  test('a throttled check is counted apart, and not made again', async () => {
    newVersion = refusing(42901, { 'retry-after': '1' });
    // The third check sends the third request, and the fourth begins with the fourth.
    expect(await check(4)).toMatchObject({ failures: 0, throttled: 1 });
    expect(requests).toBeLessThan(6);
    expect(printed).toEqual([]);
  });

  test('a connection that is cut is a failure, and its request is not sent again', async () => {
    server.once('request', ({ socket }) => socket.destroy());
    expect(await check(4)).toMatchObject({ failures: 1, overlooked: 1 });
    expect(printed).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d [^:]+: no response \(ECONNRESET\)$/)]);
  });

  test('the same checks are made again and again, each with the valid token, and create one reserved plant only', async () => {
    expect(await check(30)).toMatchObject({ failures: 0, throttled: 0 });
    const { lines } = service;
    expect(new Set(lines.map(({ token }) => token))).toEqual(new Set([expect.stringMatching(/^test-/)]));
    expect(new Set(lines.map((line) => line.error))).toEqual(
      new Set([undefined, 40901, 40001, 40002, 41501]),
    );
    expect(lines.filter(({ error }) => error === undefined).length).toBeGreaterThan(14);
    expect([...(await storedItems(service.client)).keys()]).toEqual(['-4611686018427385904']);
  });

  test.each<[share: string, () => Promise<number>, perRequest: number]>([
    ['a tenth', async () => 0.1, 0.99],
    ['all, because the canary is over', async () => 1, 1],
    ['a share that Lambda does not say', () => Promise.reject(new Error('Denied')), 1],
  ])('a version that gets %s may be overlooked by each request', async (_, share, perRequest) => {
    const { overlooked } = await check(30, share);
    expect(overlooked).toBeCloseTo(perRequest ** requests, 10);
  });
});
