import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OTHER } from '../../contract/examples.ts';
import { createGateway } from '../../local/gateway.ts';
import { listen } from '../../test/support/listen.ts';
import { storedItems } from '../../test/support/stored-item.ts';
import { startTestService } from '../../test/support/test-service.ts';
import { RunningService } from '../verify/running-service.ts';
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
  const once = new RunningService(url, service.token, { isOnce: true });
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
const COMMAND = / \(request ([\w-]{36})\).*\n {2}npm run logs -- --stage prod --query request --request \1$/;
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
  expect(new Set(lines.map((line) => line.error))).toEqual(new Set([undefined, 40901, 40001, 40002, 41501]));
  expect(lines.filter(({ error }) => error === undefined).length).toBeGreaterThan(14);
  expect([...(await storedItems(service.client)).keys()]).toEqual(['-4611686018427387904']);
});

test.each<[share: string, () => Promise<number>, perRequest: number]>([
  ['a tenth', async () => 0.1, 0.99],
  ['all, because the canary is over', async () => 1, 1],
  ['a share that Lambda does not say', () => Promise.reject(new Error('Denied')), 1],
])('a version that gets %s may be overlooked by each request', async (_, share, perRequest) => {
  const { overlooked } = await check(30, share);
  expect(overlooked).toBeCloseTo(perRequest ** requests, 10);
});
