import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LEAST } from '../contract/examples.ts';
import { errorOf } from '../contract/judge-response.ts';
import { sendHttp } from '../contract/send-http.ts';
import type { Handler } from '../lambda/middleware.ts';
import { expectShown, HOSTILE } from '../test/support/hostile-text.ts';
import { createGateway } from './gateway.ts';
import { invoke, printAsLambdaLogs } from './lambda-runtime.ts';
import { listen } from './listen.ts';
import { gatewayRoute } from './make-proxy-event.ts';

type Context = Parameters<Handler>[1];

/** Starts the stand-in in front of a handler for one test. @returns its address */
async function inFrontOf(handler: Handler): Promise<string> {
  const server = createGateway(handler, { log: () => undefined });
  onTestFinished(() => void server.close());
  return listen(server);
}

const OK = { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(LEAST) };

describe('the stand-in has the limits that Lambda has', () => {
  // An event of 6,291,456 bytes has 4,718,592 bytes in base64, without its other fields. A header is in it twice.
  test.each([
    [4_716_000, 100, undefined, 1],
    [4_716_000, 4_000, 41301, 0],
  ])('a body of %i bytes with a header of %i gets %s', async (size, header, error, calls) => {
    const handler = vi.fn(async () => OK);
    const headers = [['x-long', 'x'.repeat(header)]] as const;
    const response = await sendHttp(await inFrontOf(handler), { headers, body: Buffer.alloc(size, ' ') });
    expect(errorOf(response)).toBe(error);
    expect(handler).toHaveBeenCalledTimes(calls);
  });

  test('ten requests run at once, and the next one waits for one to end', async () => {
    const ends: (() => void)[] = [];
    const handler = () => new Promise<typeof OK>((resolve) => ends.push(() => resolve(OK)));
    const url = await inFrontOf(handler);
    const responses = Array.from({ length: 11 }, () => sendHttp(url, { body: '{}' }));
    await expect.poll(() => ends.length).toBe(10);
    ends[0]?.();
    await expect.poll(() => ends.length).toBe(11);
    for (const end of ends) end();
    for (const { status } of await Promise.all(responses)) expect(status).toBe(200);
  });

  test('a function that does not respond is timed out after 6 seconds; it can see how many are left', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    let remaining: Context['getRemainingTimeInMillis'];
    const hang: Handler = (_event, { getRemainingTimeInMillis }) => {
      remaining = getRemainingTimeInMillis;
      return new Promise(() => undefined);
    };
    const end = vi.fn();
    invoke(hang, {} as never).catch(end);
    expect(remaining?.()).toBe(6_000);
    await vi.advanceTimersByTimeAsync(5_999);
    expect([remaining?.(), end.mock.calls]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect(end).toHaveBeenCalledWith(new Error('The function timed out.'));
  });

  test('a function that throws leads to 50401', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const url = await inFrontOf(() => Promise.reject(new Error('crash')));
    expect(await sendHttp(url, { body: '{}' })).toBeRefused(50401);
  });
});

describe('the event is that of a REST API', () => {
  async function eventOf(request: Parameters<typeof sendHttp>[1]): Promise<APIGatewayProxyEvent> {
    let seen: unknown;
    const url = await inFrontOf(async (event) => {
      seen = event;
      return OK;
    });
    await sendHttp(url, request);
    return seen as APIGatewayProxyEvent;
  }

  test.each([
    ['/', '/', null],
    ['/plants/', '/plants', null],
    ['//plants//7/', '/plants/{id}', { id: '7' }],
    ['/plants/newest', '/plants/newest', null],
    ['/v1/plants/7', '/{proxy+}', { proxy: 'v1/plants/7' }],
    ['/plants/7/leaves', '/{proxy+}', { proxy: 'plants/7/leaves' }],
  ])('%s goes to the resource %s', (path, resource, pathParameters) => {
    const routes = ['/plants', '/plants/{id}', '/plants/newest'].map((path) => ({ method: 'GET', path }));
    expect(gatewayRoute(path, routes)).toEqual({ resource, pathParameters });
  });

  test.each(['X-Two', '__proto__'])('every value of a repeated %s is kept', async (name) => {
    const headers = ['0', '1'].map((value) => [name, value] as const);
    const event = await eventOf({ path: `/plants?${name}=1&${name}=2&b=`, headers });
    const entries = (field: keyof APIGatewayProxyEvent) => Object.entries(event[field] as object);
    expect(entries('headers')).toContainEqual([name.toLowerCase(), '1']);
    expect(entries('multiValueHeaders')).toContainEqual([
      name.toLowerCase(),
      headers.map(([, value]) => value),
    ]);
    expect(entries('queryStringParameters')).toContainEqual([name, '2']);
    expect(entries('multiValueQueryStringParameters')).toEqual([
      [name, ['1', '2']],
      ['b', ['']],
    ]);
  });

  test('its path has no query; a body is in base64, and no body is null', async () => {
    const expected = { httpMethod: 'GET', path: '/plants', resource: '/plants', pathParameters: null };
    const none = { body: null, isBase64Encoded: false };
    expect(await eventOf({ method: 'GET', path: '/plants?x=1' })).toMatchObject({ ...expected, ...none });
    const bytes = Buffer.from([0xff, 0x00, 0x7b]);
    expect(await eventOf({ body: bytes })).toMatchObject({ body: '/wB7', isBase64Encoded: true });
  });
});

test('what the function logs, such as a name that the store returned, cannot control the terminal', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  // `printAsLambdaLogs` replaces them.
  vi.spyOn(console, 'info');
  vi.spyOn(console, 'error');
  printAsLambdaLogs();
  console.info({ fault: HOSTILE });
  expectShown(write.mock.calls.join(''));
});

test('a failure has the level ERROR, and what else is written to standard error stays as it is', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(console, 'info');
  const error = vi.spyOn(console, 'error').mockReturnValue(undefined);
  printAsLambdaLogs();
  console.error({ outcome: 'failed', error: 50401 });
  console.info({ outcome: 'created' });
  console.error('a text', 7);
  const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines.map(({ level, message }) => [level, message.outcome])).toEqual([
    ['ERROR', 'failed'],
    ['INFO', 'created'],
  ]);
  expect(error.mock.calls).toEqual([['a text', 7]]);
});
