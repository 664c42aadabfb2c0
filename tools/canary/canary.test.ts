import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { error, noStack, type Responses, stack, startAws, withAws } from '../../test/support/aws-stand-in.ts';
import { listen } from '../../test/support/listen.ts';
import { startCommand } from '../../test/support/local-process.ts';
import { mustEnd } from '../../test/support/must-end.ts';
import { expectRefusal, runHere } from '../../test/support/run-command.ts';
import { storedItems } from '../../test/support/stored-item.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { startTestService } from '../../test/support/test-service.ts';
import { repeatableChecks } from '../verify/repeatable-checks.ts';
import { sendUntil } from './send-until.ts';

const service = await startTestService();
type Handler = typeof service.handler;
/** The new version of stage prod's function, to which the alias sends each third request. */
let newVersion: Handler = service.handler;
let requests = 0;
const arrivals = new EventEmitter();
/** Resolves when so many requests have arrived. */
const arrived = (count: number) => once(arrivals, String(count));
const server = createGateway(
  (event, context) => {
    requests += 1;
    arrivals.emit(String(requests));
    return (requests % 3 === 0 ? newVersion : service.handler)(event, context);
  },
  { log: () => undefined },
);
const url = await listen(server);
afterAll(async () => {
  server.close();
  await service.close();
});

const printed: string[] = [];
const watch = () => vi.spyOn(console, 'info').mockImplementation((line) => void printed.push(String(line)));
beforeEach(() => {
  newVersion = service.handler;
  requests = 0;
  service.lines.length = 0;
});
afterEach(() => {
  printed.length = 0;
  vi.restoreAllMocks();
});

/** What CloudFormation returns about the stage, at an address. */
const deployedAt = (BaseUrl: string, status = 'UPDATE_COMPLETE') =>
  stack(status, { BaseUrl, AccessTokensTable: LOCAL_TABLES.accessTokens });

/** Stands in for the CDK: a program `cdk` that ends when it is told to. @returns also the environment of `npm run canary` */
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

/** The names of the tokens that the command has issued and not revoked. */
async function ownTokens(): Promise<unknown[]> {
  const { Items = [] } = await service.client.send(new ScanCommand({ TableName: LOCAL_TABLES.accessTokens }));
  return Items.map(({ name }) => name?.S).filter((name) => name === 'verify');
}

/** Runs the command, with a CDK that ends with a code after so many requests. @returns also the words of the CDK */
async function canary(args: string[], responses: Responses, { code = 0, after = 0 } = {}) {
  const cdk = startCdk(code);
  void (after === 0 ? Promise.resolve() : arrived(after)).then(cdk.end);
  const ended = await withAws(responses, () => runHere('canary', args), cdk.env);
  expect(await ownTokens()).toEqual([]);
  return { ...ended, cdk: cdk.words() };
}
const STAGE = ['--stage', 'prod'];
const DEPLOY = 'deploy --require-approval never -c stage=prod --progress events';

test('npm run canary prints each failure with the command that finds its cause, and fails as the deployment does', async () => {
  newVersion = () => {
    throw new Error('crashed');
  };
  const args = [...STAGE, '--', '-c', 'x=y'];
  const { code, out, cdk } = await canary(args, deployedAt(url), { code: 1, after: 3 });
  expect(cdk).toBe(`${DEPLOY} -c x=y`);
  expect(out).toMatch(
    /^\d\d:\d\d:\d\d request ([\w-]{36}): [^:]+: {"error":50401,"message":"[^"]+"}\n {2}npm run logs -- --stage prod --query request --request \1\nThe deployment has failed\. Requests: \d+; failures: 1\.\n$/,
  );
  expect(code).toBe(1);
});

test.each<[what: string, responses: Responses, cdkCode: number, out: RegExp, code: number]>([
  ['is good', deployedAt(url), 0, /^The deployment has succeeded\. Requests: [1-9]\d*; failures: 0\.\n$/, 0],
  [
    'fails, although no request did',
    deployedAt(url),
    1,
    /^The deployment has failed\. .+ failures: 0\.\n$/,
    1,
  ],
  ...['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'].map(
    (status): [string, Responses, number, RegExp, number] => [
      `from ${status} succeeds, but a request gets no response meanwhile`,
      deployedAt('http://127.0.0.1:9', status),
      0,
      /^\d\d:\d\d:\d\d [^:]+: no response \(ECONNREFUSED\)\n.+ failures: [1-9]/,
      1,
    ],
  ),
  [
    'is the first',
    { DescribeStacks: noStack() },
    0,
    /^No requests are sent: stage prod is not deployed yet\.\n$/,
    0,
  ],
  ['repairs', stack('ROLLBACK_COMPLETE'), 0, /^No requests are sent: the stack is ROLLBACK_COMPLETE\.\n$/, 0],
])('a deployment that %s', async (_, responses, cdkCode, expected, code) => {
  const ended = await canary(STAGE, responses, { code: cdkCode });
  expect(ended).toEqual({ code, out: expect.stringMatching(expected), err: '', cdk: DEPLOY });
});

test('a stage without a canary is deployed without requests', async () => {
  const { code, out, cdk } = await canary(['--stage', 'dev'], {});
  expect(out).toBe('No requests are sent: stage dev has no canary.\n');
  expect(cdk).toContain('stage=dev');
  expect(code).toBe(0);
});

test('a stage that cannot be looked up is refused, and nothing is deployed', async () => {
  const DescribeStacks = error('AccessDeniedException', 'no cloudformation:DescribeStacks');
  expect(await canary(STAGE, { DescribeStacks })).toEqual({
    code: 1,
    out: '',
    err: 'Nothing was deployed: AccessDeniedException: no cloudformation:DescribeStacks\n',
    cdk: '',
  });
});

test.each([['-c', 'stage=dev'], ['--context=stage=dev'], ['-cstage=dev']])(
  'another stage for the CDK is refused: %s %s',
  (...words) => expectRefusal('canary', [...STAGE, '--', ...words], { code: 2, message: 'only --stage' }),
);

test('after Ctrl-C, the CDK is stopped and the token revoked', async () => {
  const cdk = startCdk();
  const aws = await startAws(deployedAt(url));
  const { child, ended } = startCommand('canary', STAGE, { env: { ...aws.env, ...cdk.env } });
  await Promise.race([Promise.all([arrived(1), vi.waitUntil(cdk.words, { timeout: 30_000 })]), ended]);
  expect(await ownTokens()).toEqual(['verify']);
  child.kill('SIGINT');
  const kill = () => child.kill('SIGKILL');
  const { code, err } = await mustEnd(ended, () => 'npm run canary', kill);
  aws.close();
  expect(err).toBe(
    'Interrupted: cdk deploy had started and has ended. What CloudFormation has begun goes on: npm run doctor -- --stage prod ' +
      'shows its state, docs/deploy.md#roll-back-a-deployment how to stop it.\n',
  );
  expect(code).toBe(1);
  expect(await ownTokens()).toEqual([]);
});

describe('while a stage is deployed', () => {
  /** Sends requests until the deployment is over, with short pauses. */
  async function send(over: Promise<unknown>, baseUrl = url) {
    watch();
    const controller = new AbortController();
    void over.then(() => controller.abort());
    return sendUntil(controller.signal, { stage: 'prod', baseUrl, token: service.token }, 1);
  }

  test('a version that responds to another tag is a failure, with the command that finds its cause', async () => {
    newVersion = async (event, context) => {
      const response = await service.handler(event, context);
      return { ...response, body: response.body.replace('"tag":"npm run verify"', '"tag":"other"') };
    };
    // How many of the first cases have a tag is for contract/cases.yaml to say.
    const { sent, failed } = await send(arrived(30));
    expect(sent).toBe(30);
    expect(failed).toBeGreaterThan(1);
    const lines =
      /^\d\d:\d\d:\d\d request ([\w-]{36}): .+"tag":"other".+\n {2}npm run logs -- --stage prod --query request --request \1$/;
    expect(printed).toEqual(Array(failed).fill(expect.stringMatching(lines)));
  });

  test('a 50301, which a passing condition of the store causes, is no failure', async () => {
    const headers = { 'retry-after': '1' };
    newVersion = async () => ({ statusCode: 400, headers, body: '{"error":50301}\n' });
    expect(await send(arrived(4))).toEqual({ sent: 4, failed: 0 });
  });

  test('the same checks are sent again and again, each with the valid token, and create one reserved plant only', async () => {
    const moreThanAll = repeatableChecks().length + 1;
    expect(await send(arrived(moreThanAll))).toEqual({ sent: moreThanAll, failed: 0 });
    const { lines } = service;
    expect(new Set(lines.map((line) => line.token))).toEqual(new Set([expect.stringMatching(/^test-/)]));
    expect(new Set(lines.map((line) => line.error))).toEqual(
      new Set([undefined, 40901, 40001, 40002, 41501]),
    );
    expect(lines.filter(({ outcome }) => outcome === 'repeated').length).toBeGreaterThan(100);
    expect([...(await storedItems(service.client)).keys()]).toEqual(['-4611686018427387904']);
  });

  test('a response whose id a shell would run gets no command, and stays one line', async () => {
    const asked = Promise.withResolvers<void>();
    const stranger = createServer((_, response) => {
      asked.resolve();
      response.writeHead(400, { 'x-request-id': '1;$(id)' }).end('{"error":50001}\n');
    });
    const { failed } = await send(asked.promise, await listen(stranger));
    stranger.close();
    expect(failed).toBe(1);
    expect(printed).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d [^:]+: \{"error":50001\}.*$/)]);
  });
});
