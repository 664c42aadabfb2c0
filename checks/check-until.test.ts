import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { OTHER } from '../contract/examples.ts';
import { IS_NUMBER, idOf } from '../contract/key.ts';
import { VERIFY_ID } from '../contract/reserved-ids.ts';
import { createGateway } from '../local/gateway.ts';
import { listen } from '../local/listen.ts';
import { storedItems } from '../test/support/stored-item.ts';
import { startTestService } from '../test/support/test-service.ts';
import { checkUntil } from './check-until.ts';

const service = await startTestService();
type Handler = typeof service.handler;
const handler = vi.fn<Handler>(service.handler);
const server = createGateway(handler, { log: () => undefined });
const url = await listen(server);
afterAll(async () => {
  server.close();
  await service.close();
});

const printed: string[] = [];
beforeEach(() => {
  handler.mockReset();
  printed.length = 0;
  vi.spyOn(console, 'info').mockImplementation((line) => void printed.push(String(line)));
});

/** Makes 11 checks, with short pauses. @param share of the new version, for which Lambda is asked before each tenth */
function check(share = async () => 0) {
  const over = new AbortController();
  let looks = 0;
  const look = () => {
    looks += 1;
    if (looks === 2) over.abort();
    return share();
  };
  return checkUntil(over.signal, { baseUrl: url, token: service.token, name: 'prod', share: look }, 1);
}

/** A version that responds with another body and other headers. */
const responding =
  (body: object, statusCode = 400, headers: Record<string, string> = {}): Handler =>
  async (event, context) => {
    const response = await service.handler(event, context);
    const changed = { ...response.headers, ...headers };
    return { ...response, statusCode, headers: changed, body: JSON.stringify(body) };
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
  ['has a strange id', refusing(50001, { 'x-request-id': '1;$(id)' }), '{"error":50001,', /^[^\n]*$/],
])(
  'each failure of a version that %s is counted, and printed with the command that finds its cause',
  async (_, version, says, command) => {
    handler.mockImplementation(version);
    expect(await check()).toMatchObject({ held: 0, failures: 11, throttled: 0 });
    expect(printed).toEqual(Array(11).fill(expect.stringMatching(command)));
    expect(printed[0]).toMatch(/^\d\d:\d\d:\d\d /);
    expect(printed[0]).toContain(says);
  },
);

test('a throttled check is counted apart, and not made again', async () => {
  handler.mockImplementation(refusing(42901, { 'retry-after': '1' }));
  expect(await check()).toMatchObject({ held: 0, failures: 0, throttled: 11 });
  expect(handler).toHaveBeenCalledTimes(11);
  expect(printed).toEqual([]);
});

test('a connection that is cut is a failure, and its request is not sent again', async () => {
  server.once('request', ({ socket }) => socket.destroy());
  expect(await check()).toMatchObject({ held: 10, failures: 1, overlooked: 1 });
  expect(printed).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d [^:]+: no response \(ECONNRESET\)$/)]);
});

test('the same checks are made again and again, each with the valid token, and create one reserved plant only', async () => {
  service.lines.length = 0;
  expect(await check()).toMatchObject({ held: 11, failures: 0, throttled: 0 });
  const { lines } = service;
  expect(new Set(lines.map(({ token }) => token))).toEqual(new Set([expect.stringMatching(/^test-/)]));
  expect(new Set(lines.map((line) => line.error))).toEqual(new Set([undefined, 40901, 40001, 40002, 41501]));
  expect([...(await storedItems(service.client)).keys()]).toEqual([
    IS_NUMBER ? '-4611686018427385904' : idOf(VERIFY_ID),
  ]);
});

test('a token that expires is renewed after 60 checks, and kept if there is no other', async () => {
  const over = new AbortController();
  const asked: number[] = [];
  handler.mockClear();
  const renew = async () => {
    asked.push(handler.mock.calls.length);
    if (asked.length === 2) over.abort();
    if (asked.length === 1) return service.token;
    throw new Error('no token');
  };
  const token = `plants_${'0'.repeat(49)}`;
  const stage = { baseUrl: url, token, name: 'prod', share: async () => 0, renew };
  const { held, failures } = await checkUntil(over.signal, stage, 1);
  expect([asked.length, held + failures]).toEqual([2, 121]);
  // Until then, no token was valid.
  expect(failures).toBeGreaterThan(40);
  expect(held).toBeGreaterThan(60);
});

test.each<[share: string, () => Promise<number>, perRequest: number]>([
  ['a tenth', async () => 0.1, 0.99],
  ['all, because the canary is over', async () => 1, 1],
  ['a share that Lambda does not say', () => Promise.reject(new Error('Denied')), 1],
])('a version that gets %s may be overlooked by each request', async (_, share, perRequest) => {
  const { overlooked } = await check(share);
  expect(overlooked).toBeCloseTo(perRequest ** handler.mock.calls.length, 10);
});
