import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, LEAST } from '../../../contract/examples.ts';
import { OPERATIONS } from '../../../contract/openapi.ts';
import { makeHandler } from '../../../lambda/middleware.ts';
import { errorOf, plantEvent, startTestService, type TestService } from '../../support/test-service.ts';

// Every case of contract/cases.yaml tests responses.ts: contract/judge-response.ts judges the headers and the body.

const APP = 'https://app.example.com';
/** Of the operations, each once. */
const METHODS = [...new Set(OPERATIONS.map(({ method }) => method))].join(', ');
const OTHER_APP = 'http://localhost:5173';

const USUAL = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'request-1',
};
const READABLE = {
  'access-control-allow-origin': APP,
  'access-control-expose-headers':
    'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate',
  vary: 'Origin',
};
const UNREADABLE = { vary: 'Origin' };

/** The headers of a response that CORS defines, and its `Vary`. */
function corsOf({ headers = {} }: APIGatewayProxyResult): object {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(access-control-.*|vary)$/.test(name)),
  );
}

const PREFLIGHT_FROM_APP = { Origin: APP, 'Access-Control-Request-Method': 'POST' };

function preflight(origin = APP, changes: object = {}): object {
  const headers = {
    ...PREFLIGHT_FROM_APP,
    Origin: origin,
    'Access-Control-Request-Headers': 'authorization,content-type',
  };
  return { ...plantEvent('', undefined), httpMethod: 'OPTIONS', headers, ...changes };
}

const FERN = bodyOf(1);

/** A request from a page. */
const from = ({ token }: TestService, origin: string, body = FERN, changes: object = {}) =>
  plantEvent(token, body, { headers: { Authorization: `Bearer ${token}`, Origin: origin }, ...changes });

describe('for the pages of allowed origins', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ allowedOrigins: [APP, OTHER_APP] });
  });
  afterAll(() => service.close());

  test('the response 200 can be read, and its other headers stay', async () => {
    const response = await service.handler(from(service, APP));
    expect(response).toEqual({
      statusCode: 200,
      headers: { ...USUAL, ...READABLE },
      body: JSON.stringify(LEAST),
    });
  });

  test.each([
    [40002, {}],
    [40101, { headers: { origin: APP } }],
    [40401, { path: '/elsewhere/plants/', resource: '/{proxy+}' }],
  ])('the error %i can be read', async (error, changes) => {
    const response = await service.handler(from(service, APP, '{"id":"1"}', changes));
    expect([errorOf(response), corsOf(response)]).toEqual([error, READABLE]);
  });

  test('the early response can be read', async () => {
    const operation = () => new Promise<never>(() => undefined);
    const handler = makeHandler(operation, { writeLog: () => undefined, allowedOrigins: [APP] });
    const response = await handler(from(service, APP), { getRemainingTimeInMillis: () => 501 });
    expect([errorOf(response), corsOf(response)]).toEqual([50401, READABLE]);
  });

  test('each allowed origin gets its own name back', async () => {
    const response = await service.handler(from(service, OTHER_APP));
    expect(corsOf(response)).toEqual({ ...READABLE, 'access-control-allow-origin': OTHER_APP });
  });

  test.each([
    ['another origin', 'https://evil.example'],
    ['an origin that begins with an allowed one', `${APP}.evil.example`],
    ['a part of an allowed origin', 'https://app.example'],
    ['upper case, which no browser sends', 'https://APP.example.com'],
    ['the opaque origin', 'null'],
    ['all allowed origins at once', `${APP} ${OTHER_APP}`],
  ])('%s gets no CORS headers, but the usual response', async (_, origin) => {
    const response = await service.handler(from(service, origin));
    expect([response.statusCode, corsOf(response)]).toEqual([200, UNREADABLE]);
    const preflighted = await service.handler(preflight(origin));
    expect([errorOf(preflighted), corsOf(preflighted)]).toEqual([40401, UNREADABLE]);
  });

  test.each([
    ['two origins', { multiValueHeaders: { Origin: [APP, OTHER_APP] } }],
    ['no origin', { headers: {} }],
  ])('a request with %s gets no CORS headers', async (_, changes) => {
    expect(corsOf(await service.handler(from(service, APP, FERN, changes)))).toEqual(UNREADABLE);
  });

  test.each(['/plants', '/{proxy+}', '/'])(
    'a preflight is returned without a token: %s',
    async (resource) => {
      expect(await service.handler(preflight(APP, { resource, path: resource }))).toEqual({
        statusCode: 204,
        headers: {
          ...USUAL,
          'access-control-allow-methods': METHODS,
          'access-control-allow-headers': 'authorization, content-type',
          'access-control-max-age': '7200',
          ...READABLE,
        },
        body: '',
      });
      // Without a line, the request would count as not completed.
      const line = {
        outcome: 'preflight',
        duration: expect.any(Number),
        request: 'request-1',
        extendedRequestId: 'JKJaXmPLvHcESHA=',
        version: '7',
      };
      expect(service.lines.at(-1)).toEqual(line);
    },
  );

  const USUAL_NAMES = 'authorization, content-type';
  test.each([
    [
      'of tracing',
      'authorization,baggage,content-type,sentry-trace',
      `${USUAL_NAMES}, baggage, sentry-trace`,
    ],
    ['in upper case, and twice', 'Authorization, X-A , x-a', `${USUAL_NAMES}, x-a`],
    ['of all characters', "!#$%&'+-.^_`|~09az", `${USUAL_NAMES}, !#$%&'+-.^_\`|~09az`],
    ['of 1,024 characters', 'a'.repeat(1_024), `${USUAL_NAMES}, ${'a'.repeat(1_024)}`],
    ['of 1,025 characters', 'a'.repeat(1_025), USUAL_NAMES],
    ['with a wildcard', 'x-a,*', USUAL_NAMES],
    ['with a line break', 'x-a\r\nset-cookie: b', USUAL_NAMES],
    ['with a letter that is ASCII only in lower case', 'x-\u212a', USUAL_NAMES],
  ])('a page may send the headers that its preflight asks for: names %s', async (_, requested, allowed) => {
    const names = { ...PREFLIGHT_FROM_APP, 'Access-Control-Request-Headers': requested };
    const { statusCode, headers } = await service.handler(preflight(APP, { headers: names }));
    expect([statusCode, headers?.['access-control-allow-headers']]).toEqual([204, allowed]);
    expect(headers).toMatchObject(READABLE);
  });

  test.each([
    ['OPTIONS without a requested method', { headers: { Origin: APP } }, 40401],
    ['GET with a requested method', { httpMethod: 'GET' }, 40401],
    ['POST with a requested method', { httpMethod: 'POST' }, 40101],
  ])('%s is not a preflight', async (_, changes, error) => {
    expect(errorOf(await service.handler(preflight(APP, changes)))).toBe(error);
  });
});

test('with a wildcard, every origin may read the responses', async () => {
  const service = await startTestService({ allowedOrigins: ['*'] });
  for (const origin of [APP, 'https://evil.example', 'null']) {
    const response = await service.handler(from(service, origin));
    expect(corsOf(response)).toEqual({ ...READABLE, 'access-control-allow-origin': '*' });
    const { statusCode, headers } = await service.handler(preflight(origin));
    expect([statusCode, headers]).toMatchObject([204, { 'access-control-allow-origin': '*' }]);
  }
  await service.close();
});

test('without allowed origins, no response has a CORS header or Vary, and a preflight gets 40401', async () => {
  const service = await startTestService();
  const created = await service.handler(from(service, APP));
  const preflighted = await service.handler(preflight());
  expect([created.statusCode, errorOf(preflighted)]).toEqual([200, 40401]);
  expect(corsOf(created)).toEqual({});
  expect(preflighted.headers).toStrictEqual(USUAL);
  await service.close();
});
