import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OTHER } from '../../contract/examples.ts';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { error, noStack, type Responses, stack, startAws, withAws } from '../../test/support/aws-stand-in.ts';
import { listen } from '../../test/support/listen.ts';
import { startCommand } from '../../test/support/local-process.ts';
import { expectRefusal, runHere } from '../../test/support/run-command.ts';
import { storedItems } from '../../test/support/stored-item.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { startTestService } from '../../test/support/test-service.ts';
import { RunningService } from '../verify/running-service.ts';
import { checkUntil } from './deploy-and-check.ts';

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

/** Runs the command, with a CDK that ends at once with a code. @returns also the words of the CDK */
async function canary(args: string[], responses: Responses, code = 0) {
  const cdk = startCdk(code);
  cdk.end();
  const ended = await withAws(responses, () => runHere('canary', args), cdk.env);
  expect(await ownTokens()).toEqual([]);
  return { ...ended, cdk: cdk.words() };
}
const STAGE = ['--stage', 'prod'];
const DEPLOY = 'deploy --require-approval never -c stage=prod --progress events';

const GOOD = /^The deployment has succeeded\. Checks: [1-9]\d*; failures: 0; throttled: 0\.\n$/;
const FAILED = /^The deployment has failed\. .+ failures: 0; throttled: 0\.\n$/;
const SILENT = /^\d\d:\d\d:\d\d [^:]+: no response \(ECONNREFUSED\)\n.+ failures: [1-9]/;
const NOT_YET = /^No requests are sent: stage prod is not deployed yet\.\n$/;
const THROTTLED = /^The deployment has succeeded\. Checks: (\d+); failures: 0; throttled: \1\.\n$/;
const throttling = createServer((_, response) => {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'retry-after': '1' };
  response.writeHead(400, { ...headers, 'x-content-type-options': 'nosniff', 'x-request-id': '1' });
  response.end('{"error":42901,"message":"Not now."}');
});
const throttlingUrl = await listen(throttling);
afterAll(() => throttling.close());
const REPAIRED = /^No requests are sent: the stack is ROLLBACK_COMPLETE\.\n$/;
test.each<[what: string, responses: Responses, cdkCode: number, out: RegExp, code: number]>([
  ['is good', deployedAt(url, 'CREATE_COMPLETE'), 0, GOOD, 0],
  ['fails, although no request did', deployedAt(url, 'UPDATE_ROLLBACK_COMPLETE'), 1, FAILED, 1],
  ['succeeds, but a request gets no response meanwhile', deployedAt('http://127.0.0.1:9'), 0, SILENT, 1],
  ['succeeds, but every request is throttled', deployedAt(throttlingUrl), 0, THROTTLED, 1],
  ['is the first', { DescribeStacks: noStack() }, 0, NOT_YET, 0],
  ['repairs', stack('ROLLBACK_COMPLETE'), 0, REPAIRED, 0],
])('a deployment that %s', async (_, responses, cdkCode, expected, code) => {
  const ended = await canary(STAGE, responses, cdkCode);
  expect(ended).toEqual({ code, out: expect.stringMatching(expected), err: '', cdk: DEPLOY });
});

test('a stage without a canary is deployed without requests, with the options for the CDK', async () => {
  const { code, out, cdk } = await canary(['--stage', 'dev', '--', '-c', 'x=y'], {});
  expect(out).toBe('No requests are sent: stage dev has no canary.\n');
  expect(cdk).toBe(`${DEPLOY.replace('prod', 'dev')} -c x=y`);
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
  const { code, err } = await ended;
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
    const once = new RunningService(baseUrl, service.token, { isOnce: true });
    return checkUntil(controller.signal, once, 'prod', 1);
  }

  const otherPlant: Handler = async (event, context) => {
    const response = await service.handler(event, context);
    return response.statusCode === 200 ? { ...response, body: JSON.stringify(OTHER) } : response;
  };
  const refusing =
    (error: number, headers: Record<string, string>): Handler =>
    async (event, context) => {
      const response = await service.handler(event, context);
      const body = JSON.stringify({ error, message: 'Not now.' });
      return { ...response, statusCode: 400, headers: { ...response.headers, ...headers }, body };
    };
  const unavailable = refusing(50301, { 'retry-after': '2' });
  test.each<[what: string, version: Handler, requests: number, says: string]>([
    ['responds with another plant', otherPlant, 30, JSON.stringify(OTHER)],
    ['throttles, but says not when to retry', refusing(42901, {}), 4, '{"error":42901,'],
    ['crashes', () => Promise.reject(new Error('crashed')), 4, '{"error":50401,'],
    [
      'is unavailable, although a second attempt would reach the earlier one',
      unavailable,
      4,
      '{"error":50301,',
    ],
  ])(
    'each failure of a version that %s is counted, with the command that finds its cause',
    async (_, version, count, says) => {
      newVersion = version;
      const { failures } = await send(arrived(count));
      expect(failures).toBeGreaterThan(0);
      const line =
        /^\d\d:\d\d:\d\d .+\(request ([\w-]{36})\).*\n {2}npm run logs -- --stage prod --query request --request \1$/;
      expect(printed).toEqual(Array(failures).fill(expect.stringMatching(line)));
      for (const each of printed) expect(each).toContain(says);
    },
  );

  test('a throttled check is counted apart, and not made again', async () => {
    newVersion = refusing(42901, { 'retry-after': '1' });
    // The third check sends the third request, and the fourth begins with the fourth.
    expect(await send(arrived(4))).toMatchObject({ failures: 0, throttled: 1 });
    expect(requests).toBeLessThan(6);
    expect(printed).toEqual([]);
  });

  test('a connection that is cut is a failure, and its request is not sent again', async () => {
    let connections = 0;
    const cutting = createServer((request, response) => {
      connections += 1;
      if (connections === 3) arrivals.emit('cut');
      if (connections === 2) request.socket.destroy();
      else response.end();
    });
    const counts = await send(once(arrivals, 'cut'), await listen(cutting));
    cutting.close();
    // The third check sends two requests.
    expect([counts, connections]).toEqual([{ held: 0, failures: 3, throttled: 0 }, 4]);
    expect(printed[1]).toMatch(/^\d\d:\d\d:\d\d [^:]+: no response \(ECONNRESET\)$/);
  });

  test('the same checks are made again and again, each with the valid token, and create one reserved plant only', async () => {
    expect(await send(arrived(30))).toMatchObject({ failures: 0, throttled: 0 });
    const { lines } = service;
    expect(new Set(lines.map(({ token }) => token))).toEqual(new Set([expect.stringMatching(/^test-/)]));
    expect(new Set(lines.map((line) => line.error))).toEqual(
      new Set([undefined, 40901, 40001, 40002, 41501]),
    );
    expect(lines.filter(({ error }) => error === undefined).length).toBeGreaterThan(14);
    expect([...(await storedItems(service.client)).keys()]).toEqual(['-4611686018427387904']);
  });

  test('a response whose id a shell would run gets no command, and stays one line', async () => {
    const asked = Promise.withResolvers<void>();
    const stranger = createServer((_, response) => {
      asked.resolve();
      response.writeHead(400, { 'x-request-id': '1;$(id)' }).end('{"error":50001}\n');
    });
    const { failures } = await send(asked.promise, await listen(stranger));
    stranger.close();
    expect(failures).toBe(1);
    expect(printed).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d [^:]+: .*\{"error":50001\}.*$/)]);
  });
});
