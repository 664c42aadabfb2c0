import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test, vi } from 'vitest';
import { findStage } from '../../infra/find-stage.ts';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { copyOf } from '../../test/infra/synth.ts';
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
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { startTestService } from '../../test/support/test-service.ts';

const service = await startTestService();
const arrivals = new EventEmitter();
const server = createGateway(
  (event, context) => {
    arrivals.emit('request');
    return service.handler(event, context);
  },
  { log: () => undefined },
);
const url = await listen(server);
afterAll(async () => {
  server.close();
  await service.close();
});

/** Stands in for the CDK: a program `cdk` that ends when it is told to. @returns also the environment of `npm run deploy` */
function startCdk(code = 0) {
  const folder = temporaryFolder();
  const [words, over] = [path.join(folder, 'words'), path.join(folder, 'over')];
  writeFileSync(words, '');
  const program = `#!/bin/sh\necho "$@" >'${words}'\nuntil [ -e '${over}' ]; do sleep 0.05; done\nexit ${code}\n`;
  writeFileSync(path.join(folder, 'cdk'), program, { mode: 0o755 });
  const env = {
    AWS_ACCESS_KEY_ID: service.store.accessKeyId,
    AWS_ENDPOINT_URL_DYNAMODB: service.store.endpoint,
    // Between two calls, the store may close the idle connection.
    AWS_MAX_ATTEMPTS: '2',
    PATH: `${folder}${path.delimiter}${process.env.PATH}`,
  };
  return { env, end: () => writeFileSync(over, ''), words: () => readFileSync(words, 'utf8').trim() };
}

const prod = copyOf(findStage('prod')).template;
const dev = copyOf(findStage('dev')).template;
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const alias = (FunctionVersion: string) => is({ FunctionVersion, Description: `commit ${COMMIT}` });
const denied = error('AccessDeniedException', 'no permission');

/** What AWS says of stage prod: the stack, and the alias before the CDK starts and after it. */
interface Stage {
  readonly status?: string;
  readonly baseUrl?: string;
  readonly before?: Reply;
  readonly after?: Reply;
}

/** Responses about the stage. @param hasStarted whether the CDK has started */
function responsesOf(
  { status = 'UPDATE_COMPLETE', baseUrl = url, before = alias('12'), after = alias('13') }: Stage,
  hasStarted: () => boolean,
): Responses {
  const template = (StackName: unknown) => JSON.stringify(StackName === 'PlantStore-dev' ? dev : prod);
  const deployed = stack(status, { BaseUrl: baseUrl, AccessTokensTable: LOCAL_TABLES.accessTokens });
  const isThere = () => status !== '' || hasStarted();
  const resource = (ResourceType: string, PhysicalResourceId: string) => ({
    ResourceType,
    PhysicalResourceId,
    LogicalResourceId: 'any',
  });
  return {
    GetTemplate: ({ StackName }) => (isThere() ? is({ TemplateBody: template(StackName) }) : noStack()),
    DescribeStacks: () => (isThere() ? deployed.DescribeStacks : noStack()),
    ListStackResources: is({
      StackResourceSummaries: [
        resource('AWS::Lambda::Function', 'create-plant'),
        resource('AWS::Lambda::Version', 'arn:create-plant:12'),
      ],
    }),
    GetAlias: () => (hasStarted() ? after : before),
  };
}

/** The names of the tokens that the command has issued and not revoked. */
async function issuedTokens(): Promise<unknown[]> {
  const { Items = [] } = await service.client.send(new ScanCommand({ TableName: LOCAL_TABLES.accessTokens }));
  return Items.map(({ name }) => name?.S).filter((name) => name === 'verify');
}

/** Runs the command, with a CDK that ends at once with a code. @returns its lines, and the words of the CDK */
async function deploy(args: string[], stage: Stage = {}, { code = 0, responses = {} as Responses } = {}) {
  const cdk = startCdk(code);
  cdk.end();
  const all = { ...responsesOf(stage, () => cdk.words() !== ''), ...responses };
  const { out, ...ended } = await withAws(all, () => runHere('deploy', args), cdk.env);
  expect(await issuedTokens()).toEqual([]);
  return { ...ended, lines: out.trimEnd().split('\n'), cdk: cdk.words() };
}
const PROD = ['--stage', 'prod'];
const CDK = 'deploy --require-approval never -c stage=prod --progress events';
const matching = (...patterns: RegExp[]) => patterns.map((pattern) => expect.stringMatching(pattern));
const NOTHING_LOST = /^PlantStore-prod: nothing would be lost \(\d+ resources checked/;
const NOT_KNOWN = /^ {2}Which commit is deployed is not known\.$/;
const GOOD = /^The deployment has succeeded\. Checks: [1-9]\d*; failures: 0; throttled: 0\.$/;
const BAD = /^The deployment has succeeded\. Checks: [1-9]\d*; failures: [1-9]\d*; throttled: 0\.$/;
const IS_13 = /^PlantStore-prod is served by version 13 \(100 %\); before: 12\.$/;
const IS_12 = /^PlantStore-prod is served by version 12 \(100 %\), as before\.$/;
const ROLL_BACK = [
  /^Next: roll back: docs\/deploy\.md#roll-back-a-deployment, or at once:$/,
  / git restore --source 0123456789abcdef0123456789abcdef01234567 --staged --worktree \. ':!infra\/stages\.ts' &&$/,
  / npm run deploy -- --stage prod --no-canary$/,
];
const noChecks = (reason: string) => RegExp(`^No checks are made: ${reason}\\.$`);

test.each<[what: string, args: string[], Stage, cdkCode: number, last: RegExp[], code: number]>([
  ['is good', [], {}, 0, [GOOD, IS_13, /^Next: nothing; the checks held\.$/], 0],
  [
    'is rolled back',
    [],
    { after: alias('12') },
    1,
    [
      /^The deployment has failed\. Checks: /,
      IS_12,
      /^Next: npx cdk diagnose .+#a-deployment-that-failed-halfway$/,
    ],
    1,
  ],
  [
    'leaves a version that failed checks',
    [],
    { baseUrl: 'http://127.0.0.1:9' },
    0,
    [BAD, IS_13, ...ROLL_BACK],
    1,
  ],
  [
    'succeeds, but it is not known what serves',
    [],
    { after: denied },
    0,
    [
      GOOD,
      /^Which version serves is not known: AccessDeniedException: no permission$/,
      /^Next: npm run doctor /,
    ],
    1,
  ],
  [
    'is the first',
    ['--first'],
    { status: '' },
    0,
    [
      noChecks('stage prod is not deployed yet'),
      /^The deployment has succeeded\.$/,
      /^PlantStore-prod is served by version 13 \(100 %\)\.$/,
      /^Next: npm run verify -- --stage prod$/,
    ],
    0,
  ],
  [
    'repairs',
    [],
    { status: 'ROLLBACK_COMPLETE' },
    0,
    [
      noChecks('the stack is ROLLBACK_COMPLETE'),
      /succeeded\.$/,
      /version 13 \(100 %\)\.$/,
      /^Next: npm run verify /,
    ],
    0,
  ],
])('a deployment that %s', async (_, args, stage, cdkCode, last, code) => {
  const { lines, ...ended } = await deploy([...PROD, ...args], stage, { code: cdkCode });
  expect(ended).toEqual({ code, err: '', cdk: CDK });
  expect(lines.slice(-last.length)).toEqual(matching(...last));
  if (stage.status !== '') expect(lines.slice(0, 2)).toEqual(matching(NOTHING_LOST, NOT_KNOWN));
});

test('without a canary, all traffic moves at once and no checks are made', async () => {
  const { lines, code, cdk } = await deploy([...PROD, '--no-canary', '--', '--profile', 'deploy']);
  expect(cdk).toBe(`${CDK.replace('prod', 'prod -c canary=off')} --profile deploy`);
  expect(lines.slice(2)).toEqual(
    matching(noChecks('the canary is off'), /succeeded\.$/, IS_13, /^Next: npm run verify -- --stage prod$/),
  );
  expect(code).toBe(0);
});

test('without a stage, dev is deployed', async () => {
  const { lines, code, cdk } = await deploy([]);
  expect(cdk).toBe(CDK.replace('prod', 'dev'));
  expect(lines[2]).toBe('No checks are made: stage dev has no canary.');
  expect(code).toBe(0);
});

const MORE = { Resources: { ...prod.Resources, Kept: { Type: 'AWS::DynamoDB::GlobalTable' } } };
const withMore: Responses = { GetTemplate: is({ TemplateBody: JSON.stringify({ ...prod, ...MORE }) }) };
test('what the guard refuses is not deployed, unless it is accepted', async () => {
  const refused = await deploy(PROD, {}, { responses: withMore });
  expect(refused).toMatchObject({ code: 1, err: '', cdk: '' });
  expect(refused.lines.slice(-2)).toEqual(matching(/: --allow Kept$/, /^Nothing was deployed\.$/));
  const accepted = await deploy([...PROD, '--allow', 'Kept'], {}, { responses: withMore });
  expect(accepted).toMatchObject({ code: 0, cdk: CDK });
});

test.each<[string, string[], Stage, Responses, message: RegExp]>([
  [
    'it is not known what serves',
    PROD,
    { before: denied },
    {},
    /^Nothing was deployed: AccessDeniedException: no /,
  ],
  ['the stack cannot be read', PROD, {}, { DescribeStacks: denied }, /^Nothing was deployed: AccessDenied/],
  [
    'its template cannot be read',
    PROD,
    {},
    { GetTemplate: denied },
    /^The template of the stack PlantStore-prod /,
  ],
])('nothing is deployed if %s', async (_, args, stage, responses, message) => {
  const ended = await deploy(args, stage, { responses });
  expect(ended).toMatchObject({ code: 1, err: expect.stringMatching(message), cdk: '' });
});

test.each<[string[], RegExp]>([
  [[...PROD, '--', '-c', 'stage=dev'], /only --stage|Use --stage and --no-canary/],
  [[...PROD, '--', '--context=canary=off'], /^Use --stage and --no-canary/],
  [['prod'], /^Use --stage NAME for the stage/],
  [['-c', 'stage=prod'], /^Unknown option '-c'/],
  [['--stage', 'prdo'], /^Unknown stage "prdo"/],
])('refused: npm run deploy -- %j', (args, message) => expectRefusal('deploy', args, { code: 2, message }));

test('after Ctrl-C, the CDK is stopped and the token revoked', async () => {
  const cdk = startCdk();
  const aws = await startAws(responsesOf({}, () => false));
  const { child, ended } = startCommand('deploy', PROD, { env: { ...aws.env, ...cdk.env } });
  const started = vi.waitUntil(cdk.words, { timeout: 30_000 });
  await Promise.race([Promise.all([once(arrivals, 'request'), started]), ended]);
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
