import { afterAll, describe, expect, test, vi } from 'vitest';
import { bodyOf, LEAST } from '../../contract/examples.ts';
import { idOf } from '../../contract/key.ts';
import { createPlant } from '../../lambda/create-plant.ts';
import { Failure } from '../../lambda/errors.ts';
import type { Settings } from '../../lambda/middleware.ts';
import type { Operation } from '../../lambda/request/invocation.ts';
import type { RequestLogLine } from '../../lambda/request/log.ts';
import type { TokenFinder } from '../../lambda/tokens/access-token-table.ts';
import { startOperation } from '../support/function-under-test.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';

// response/cors.test.ts tests CORS, store/store.test.ts the deadline, test/security/secrets.test.ts what is never logged.

const service = await startTestService();
afterAll(service.close);
const post = (body: string) => service.handler(plantEvent(service.token, body));

describe('whatever an operation does', () => {
  const headers = { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' };
  const succeed: Operation = async ({ log }) => {
    vi.advanceTimersByTime(1_234.9);
    log.outcome = 'created';
    return { statusCode: 200, body: '' };
  };
  test.each<[string, Operation, object, Partial<RequestLogLine>]>([
    ['it succeeds', succeed, {}, { outcome: 'created', duration: 1_234 }],
    ['it fails', () => Promise.reject(new Failure('UNAVAILABLE')), {}, { outcome: 'failed', duration: 0 }],
    ['it is not called', vi.fn(), { httpMethod: 'OPTIONS', headers }, { outcome: 'preflight', duration: 0 }],
  ])(
    'its whole milliseconds are logged, and its deadline’s timer is stopped: %s',
    async (_, operation, event, line) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
      const { lines, handler } = startOperation(operation, { allowedOrigins: ['*'] });
      await handler(event);
      expect(lines).toMatchObject([line]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});

describe('each request logs one line', () => {
  const duration = expect.any(Number);

  test('the line has the outcome and all that is known about the request, the first line also that it is the first', async () => {
    await post('{"id":1.5,"name":"Fern"}');
    await post(bodyOf(9223372036854775807n));
    await post(bodyOf(9223372036854775807n));
    await post('{}');
    const common = {
      duration,
      token: expect.stringMatching(/^test-/),
      request: 'request-1',
      extendedRequestId: 'JKJaXmPLvHcESHA=',
      version: '7',
    };
    expect(service.lines).toEqual([
      { outcome: 'refused', error: 40002, coldStart: true, ...common },
      { outcome: 'created', id: idOf('9223372036854775807'), ...common },
      { outcome: 'repeated', id: idOf('9223372036854775807'), ...common },
      { outcome: 'refused', error: 40002, ...common },
    ]);
  });

  test('a sampled request has its trace, read anew for each request', async () => {
    const root = '1-5759e988-bd862e3fe1be46a994272793';
    const sampled = [
      `Root=${root};Parent=53995c3f42cd8ad8;Sampled=1`,
      `Root=${root};Parent=5;Sampled=1;Lineage=1:2:3`,
    ];
    const unsampled = [
      undefined,
      `Root=${root};Sampled=10`,
      'Root=plants_0;Sampled=1',
      `OldRoot=${root};Sampled=1`,
    ];
    const headers = [...sampled, ...unsampled];
    const { lines, handler } = withLog({ traceHeader: () => headers.shift() });
    for (const _ of [...headers]) await handler(plantEvent(service.token, bodyOf(1)));
    expect(lines.map(({ trace }) => trace)).toEqual([root, root, ...unsampled.map(() => undefined)]);
  });

  test.each<[string, Authorization: string, requestContext: unknown, error: number, address?: string]>([
    ['a refused token', 'Bearer "', { identity: { sourceIp: '203.0.113.7' } }, 40102, '203.0.113.7'],
    ['no text', 'Bearer "', { identity: { sourceIp: 7 } }, 40102],
    ['no identity', 'Bearer "', { identity: null }, 40102],
    ['no context', 'Bearer "', null, 40102],
    ['no token', '', { identity: { sourceIp: '203.0.113.7' } }, 40101],
  ])(
    'only a refused token has the address of its sender: %s',
    async (_, Authorization, context, error, address) => {
      const { lines, handler } = withLog();
      const requestContext = context as never;
      await handler(plantEvent('', '{}', { headers: { Authorization }, requestContext }));
      expect(lines.map((line) => [line.error, line.address])).toEqual([[error, address]]);
    },
  );

  test('a failing log changes no response', async () => {
    const writeLog = () => {
      throw new Error('the log is full');
    };
    const { handler } = withLog({ writeLog });
    const response = await handler(plantEvent(service.token, bodyOf(1)));
    expect(response).toMatchObject({ body: JSON.stringify(LEAST) });
  });
});

/** The function over a store that accepts everything, and its log. */
function withLog({ find = async () => 'ci', ...settings }: Partial<TokenFinder & Settings> = {}) {
  return startOperation(
    createPlant({ find }, async () => 'created'),
    settings,
  );
}

const bug = new TypeError('secret value');
bug.stack = `TypeError: secret value    at home\n${'    at f (file.ts:1:2)\n'.repeat(5)}`;
const bare = Object.assign(new Error('secret value'), { stack: undefined });
test.each([
  ['an error', bug, 'TypeError', Array(3).fill('at f (file.ts:1:2)').join(' ')],
  ['an error without a stack', bare, 'Error', ''],
  ['undefined', undefined, 'undefined', undefined],
])('a bug leads to 50001, and its line has three stack frames at most: %s', async (_, thrown, fault, at) => {
  const { lines, handler } = withLog({ find: () => Promise.reject(thrown) });
  const response = await handler(plantEvent(service.token, '{}'));
  expect(response).toBeRefused(50001);
  expect(lines.map((line) => [line.outcome, line.fault, line.at])).toEqual([['failed', fault, at]]);
  expect(JSON.stringify(lines) + response.body).not.toContain('secret value');
});
