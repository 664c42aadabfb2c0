import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { DeleteItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { findStage } from '../../infra/find-stage.ts';
import { readWorkingCopy } from '../../infra/working-copy.ts';
import { listen } from '../../local/listen.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { error, noStack, ok, type Responses, stack, withAws } from '../../test/support/aws-stand-in.ts';
import { finishedApp } from '../../test/support/finished-app.ts';
import { startHttpService } from '../../test/support/http-service.ts';
import { ROOT } from '../../test/support/project.ts';
import { expectRefusal, npmRun, runHere } from '../../test/support/run-command.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { synthesize } from '../guard/synthesize.ts';

const service = await startHttpService();
afterAll(() => service.close());

const TEMPLATE = synthesize(findStage('prod'));
const alias = (FunctionVersion: string) => ok({ FunctionVersion, Description: 'any' });
/** What AWS says of the stage: the stack's status, empty if there is none, and the alias, before the CDK starts and after. */
const AWS = {
  status: 'UPDATE_COMPLETE',
  template: TEMPLATE,
  before: alias('12'),
  after: alias('13'),
  /** In place of the store. */
  tables: {} as Responses,
  url: service.url,
};
const STORE = {
  AWS_ACCESS_KEY_ID: service.store.accessKeyId,
  AWS_ENDPOINT_URL_DYNAMODB: service.store.endpoint,
  // Between two calls, the store may close the idle connection.
  AWS_MAX_ATTEMPTS: '2',
};

/**
 * Runs the command, and expects that it leaves no token behind.
 * @param aws what differs from {@link AWS}
 * @param program what stands in for the CDK, in the shell's language
 * @returns its lines, and the words of the CDK, empty if it was not started
 */
async function deploy(args: string[], aws: Partial<typeof AWS> = {}, program = 'exit 0', run = runHere) {
  const { status, template, before, after, tables, url } = { ...AWS, ...aws };
  const folder = temporaryFolder();
  const words = path.join(folder, 'words');
  const script = `#!/bin/sh\necho "$@" >'${words}'\n${program}\n`;
  writeFileSync(path.join(folder, 'cdk'), script, { mode: 0o755 });
  const hasStarted = () => existsSync(words);
  const outputs = { BaseUrl: url, AccessTokensTable: LOCAL_TABLES.accessTokens };
  const deployed = stack(status || 'CREATE_COMPLETE', outputs).DescribeStacks;
  const resources = [
    { LogicalResourceId: 'Function', ResourceType: 'AWS::Lambda::Function', PhysicalResourceId: 'a' },
    { LogicalResourceId: 'any', ResourceType: 'AWS::Lambda::Version', PhysicalResourceId: 'arn:a:12' },
  ];
  const responses: Responses = {
    GetTemplate: status ? ok({ TemplateBody: JSON.stringify(template) }) : noStack(),
    DescribeStacks: () => (status || hasStarted() ? deployed : noStack()),
    ListStackResources: ok({ StackResourceSummaries: resources }),
    GetAccount: ok({}),
    GetAlias: () => (hasStarted() ? after : before),
    ...tables,
  };
  const store = tables.DeleteItem ? { ...STORE, AWS_ENDPOINT_URL_DYNAMODB: undefined } : STORE;
  const env = { ...store, PATH: `${folder}${path.delimiter}${process.env.PATH}` };
  const { out, ...ended } = await withAws(responses, () => run('deploy', args), env);
  const { Items } = await service.client.send(new ScanCommand({ TableName: LOCAL_TABLES.accessTokens }));
  expect(Items).toMatchObject([{ name: { S: expect.stringMatching(/^test-/) } }]);
  const lines = out.trimEnd().replace(/Checks: [1-9]\d*/, 'Checks: N');
  return {
    ...ended,
    lines: lines.split('\n'),
    cdk: hasStarted() ? readFileSync(words, 'utf8').trim() : '',
  };
}
const TO_PROD = ['--stage', 'prod'];
const CDK =
  'deploy PlantStore-prod --require-approval never --rollback --progress events -c stage=prod --profile=';
const IS_13 = 'PlantStore-prod is served by version 13 (100 %); before: 12.';

test('a deployment says what is checked, how it has ended, what serves, and what to do', async () => {
  const { lines, ...ended } = await deploy(TO_PROD);
  expect(lines).toEqual([
    expect.stringMatching(/^PlantStore-prod: nothing would be lost \(\d+ resources checked/),
    '  Which commit is deployed is not known.',
    'Checks are made until it is over. If they fail, stop it: docs/deploy.md#roll-back-a-deployment',
    'The deployment has succeeded. Checks: N; failures: 0; throttled: 0.',
    'It is not known whether a check reached the new version during its canary.',
    IS_13,
    'Next: nothing; the checks held.',
  ]);
  expect(ended).toMatchObject({ code: 0, err: '', cdk: CDK });
});

test('deploy: it fails if its token cannot be revoked, although all has gone well', async () => {
  const { err, code, lines } = await deploy(TO_PROD, {
    tables: {
      Scan: ok({ Items: [], Count: 0 }),
      PutItem: (item) => {
        const { created, expires } = Object(item).Item;
        // One that is left behind expires in a day.
        expect(expires.N - created.N).toBe(86_400);
        return service.client.send(new PutItemCommand(item as never)).then(() => ok({}));
      },
      // It is revoked, but nobody knows.
      DeleteItem: async (key) => {
        await service.client.send(new DeleteItemCommand(key as never));
        return error('ExpiredTokenException', 'Expired');
      },
    },
  });
  expect(err).toMatch(/^The access token \w{8} of verify may still be valid \(.+--stage prod\n$/);
  expect([code, lines.at(-1)]).toEqual([1, 'Next: nothing; the checks held.']);
});

test('look: if CodeDeploy rolls back, the CDK and the deployment fail', async () => {
  const { lines, code } = await deploy(TO_PROD, { after: alias('12') }, 'exit 1');
  expect([code, ...lines.slice(-3, -1)]).toEqual([
    1,
    'The deployment has failed. Checks: N; failures: 0; throttled: 0.',
    'PlantStore-prod is served by version 12 (100 %), as before.',
  ]);
});

test('look: a stack that has failed before is not deployed, although the CDK finds nothing to change and succeeds', async () => {
  const { lines, code } = await deploy(TO_PROD, { status: 'UPDATE_FAILED', after: alias('12') });
  expect(lines).toContain('No checks are made: the stack is UPDATE_FAILED.');
  expect(lines).toContain('The CDK has succeeded, but the state of the stack is UPDATE_FAILED.');
  expect(code).toBe(1);
});

/** This folder's, or any where git does not know it. */
const COMMIT = readWorkingCopy(ROOT).commit ?? '1'.repeat(40);
const ALL_AT_ONCE = `${CDK.replace('=prod', '=prod -c canary=off')} --revert-drift -c alarmEmail=a@example.com --output=x --outputs-file=y`;
test.each<[args: string, cdk: string, reason: string, serves: string, aws?: Partial<typeof AWS>]>([
  [
    '--stage prod --first',
    CDK,
    'stage prod is not deployed yet',
    IS_13.replace('; before: 12', ''),
    { status: '' },
  ],
  [
    '--stage prod --no-canary -- --revert-drift -c alarmEmail=a@example.com -o x --outputs-file y',
    ALL_AT_ONCE,
    'the canary is off',
    IS_13,
  ],
  [
    `--stage prod --no-canary --commit ${COMMIT}`,
    CDK.replace('=prod', `=prod -c canary=off -c commit=${COMMIT}`),
    'the canary is off',
    IS_13,
  ],
  ['--allow all', CDK.replaceAll('prod', 'dev'), 'stage dev has no canary', IS_13.replace('prod', 'dev')],
])('prepare: no checks are made: npm run deploy -- %s', async (words, cdk, reason, serves, aws) => {
  const { lines, ...ended } = await deploy(words.split(' '), aws);
  expect(lines.slice(-5)).toEqual([
    `No checks are made: ${reason}.`,
    'The deployment has succeeded.',
    'A request without a token got 40101: the function starts.',
    serves,
    expect.stringMatching(/^Next: npm run verify -- --stage (prod|dev)$/),
  ]);
  expect(ended).toMatchObject({ code: 0, err: '', cdk });
});

test('look: after a first deployment, a function without a response is told, with the setting that may mend it', async () => {
  const gateway = createServer((_, response) =>
    response.writeHead(400).end('{"error":50401,"message":"any"}'),
  );
  const url = await listen(gateway);
  const { lines, code } = await deploy([...TO_PROD, '--first'], { status: '', url });
  gateway.close();
  expect(lines).toContain(
    'A request without a token got 50401: the function gave no response. If its log shows that it does not start, set plain: true of the stage (docs/decisions.md, 10), and deploy it.',
  );
  expect(code).toBe(1);
});

describe('a finished cdk.out', () => {
  /** A finished one of prod. @param change of its alias */
  const finished = (change: object = {}) =>
    finishedApp(findStage('prod'), ({ Resources: { Live } }) => {
      Live.Properties.Description = `commit ${COMMIT}`;
      Object.assign(Live, change);
    });
  const ARGS = [...TO_PROD, '--commit', COMMIT, '--allow', 'all'];
  const OWN = 'deploy PlantStore-prod --require-approval never --rollback --progress events';

  test('is compared and deployed as it is', async () => {
    const app = finished();
    const { code, cdk } = await deploy([...ARGS, '--app', app]);
    expect({ code, cdk }).toEqual({ code: 0, cdk: `${OWN} --app ${app} --profile=` });
  });

  test.each<[string, change: object, args: string[], err: RegExp]>([
    [
      'moves the traffic by CodeDeploy, against --no-canary',
      {},
      ['--no-canary'],
      /for CodeDeploy, and --no-canary was given: synthesize it with -c canary=off\.$/m,
    ],
    [
      'moves the traffic at once, without --no-canary',
      { UpdatePolicy: undefined },
      [],
      /with -c canary=off: give --no-canary\.$/m,
    ],
    [
      'is of another commit',
      { Properties: { Description: `commit ${'2'.repeat(40)}` } },
      [],
      /is of commit 2{40}, and this working copy of .+; synthesize it from this one\.$/m,
    ],
    [
      'is of no known commit',
      { Properties: {} },
      [],
      /is of commit not known, and this working copy of .+; synthesize it from this one\.$/m,
    ],
  ])('is refused if it %s', async (_, change, args, message) => {
    const { code, cdk, err } = await deploy([...ARGS, ...args, '--app', finished(change)]);
    expect({ code, cdk, err }).toEqual({ code: 1, cdk: '', err: expect.stringMatching(message) });
  });

  test('is refused if it has a program, which the CDK would run with the identity of whoever deploys', async () => {
    const app = finished();
    const file = path.join(app, 'PlantStore-prod.assets.json');
    const assets = JSON.parse(readFileSync(file, 'utf8'));
    const [code] = Object.values<{ source: object }>(assets.files);
    Object.assign(code ?? {}, { source: { executable: ['sh', '-c', 'env'] } });
    writeFileSync(file, JSON.stringify(assets));
    const { code: exit, cdk, err } = await deploy([...ARGS, '--app', app]);
    const message = expect.stringContaining(
      `${file} is not as the CDK writes it for PlantStore-prod: files.`,
    );
    expect({ exit, cdk, err }).toEqual({ exit: 1, cdk: '', err: message });
  });

  test('is refused if it has no template of the stage', async () => {
    const { code, cdk, err } = await deploy([...ARGS, '--app', 'nowhere']);
    expect({ code, cdk, err }).toEqual({
      code: 1,
      cdk: '',
      err: expect.stringMatching(/PlantStore-prod\.template\.json cannot be read \(ENOENT\)\.$/m),
    });
  });

  // In a process of its own, which loads no CDK library then.
  test('deploy: after Ctrl-C, the CDK is stopped and the token revoked', async () => {
    const run: typeof runHere = (name, args) => npmRun(name, args, { env: STORE });
    const args = [...ARGS, '--app', finished()];
    const { code, err } = await deploy(args, {}, 'kill -INT $PPID; exec sleep 60', run);
    expect(err).toBe(
      'Interrupted: cdk deploy had started and has ended. What CloudFormation has begun goes on: npm run doctor -- --stage prod ' +
        'shows its state, docs/deploy.md#roll-back-a-deployment how to stop it.\n',
    );
    expect(code).toBe(1);
  });
});

test('prepare: what the guard refuses is not deployed, unless it is accepted', async () => {
  const Resources = { ...TEMPLATE.Resources, Kept: { Type: 'AWS::DynamoDB::GlobalTable' } };
  const aws = { template: { ...TEMPLATE, Resources } };
  const { lines, ...refused } = await deploy(TO_PROD, aws);
  expect(refused).toMatchObject({ code: 1, err: '', cdk: '' });
  expect(lines.slice(-2)).toEqual([expect.stringMatching(/: --allow Kept$/), 'Nothing was deployed.']);
  expect(await deploy([...TO_PROD, '--allow', 'Kept'], aws)).toMatchObject({ code: 0, cdk: CDK });
});

test('prepare: nothing is deployed if it is not known what serves', async () => {
  const before = error('AccessDeniedException', 'no permission');
  const err = 'Nothing was deployed: AccessDeniedException: no permission\n';
  expect(await deploy(TO_PROD, { before })).toMatchObject({ code: 1, err, cdk: '' });
});

test.each<[string[], RegExp]>([
  [
    [...TO_PROD, '--', '-c', 'stage=dev'],
    /^After -c, only alarmEmail=ADDRESS passes .+--stage and --no-canary\.$/m,
  ],
  [[...TO_PROD, '--', '-c', 'repository=a/b'], /^After -c, only alarmEmail=ADDRESS passes/],
  // It moves all traffic past CloudFormation, the canary and the rollback.
  [
    [...TO_PROD, '--', '--hotswap'],
    /^Unknown option '--hotswap': only --revert-drift, -c alarmEmail=ADDRESS, /,
  ],
  [[...TO_PROD, '--', '--express'], /^Unknown option '--express': only/],
  [[...TO_PROD, '--', '--no-rollback'], /^Unknown option '--no-rollback': only/],
  [[...TO_PROD, '--', '--revert-drift', 'PlantStore-dev'], /^Unexpected argument: only/],
  [[...TO_PROD, '--app', 'x', '--', '-o', 'y'], /with --app, neither -c nor --output passes\.$/m],
  [['prod'], /^Use --stage NAME for the stage/],
  [[...TO_PROD, '--commit', 'main'], /^--commit must be 40 hexadecimal digits\.$/m],
])('refused: npm run deploy -- %j', (args, message) => expectRefusal('deploy', args, { code: 2, message }));
