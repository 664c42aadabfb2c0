import { afterAll, describe, expect, test } from 'vitest';
import { bodyOf } from '../../../contract/examples.ts';
import { makeHandler } from '../../../lambda/middleware.ts';
import { ROUTES } from '../../../lambda/routes.ts';
import { plantEvent, startTestService } from '../../support/test-service.ts';

// Every case of contract/cases/create-plant.yaml tests responses.ts: contract/judge-response.ts judges the headers and the body.

const APP = 'https://app.example.com';
const OTHER_APP = 'http://localhost:5173';
/** Of the operations, each once. */
const METHODS = [...new Set(Object.values(ROUTES).map(({ method }) => method))].join(', ');

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
const UNREADABLE = { ...USUAL, vary: 'Origin' };

/** A browser's question before a request. */
const preflight = (headers: object, resource = '/plants') => ({
  ...plantEvent('', undefined),
  httpMethod: 'OPTIONS',
  headers: { Origin: APP, 'Access-Control-Request-Method': 'POST', ...headers },
  resource,
  path: resource,
});

async function start(allowedOrigins?: readonly string[]) {
  const service = await startTestService({ allowedOrigins });
  afterAll(service.close);
  const Authorization = `Bearer ${service.token}`;
  return {
    ...service,
    /** A request from a page. */
    post: (Origin: string, changes: object = {}) =>
      service.handler(plantEvent('', bodyOf(1), { headers: { Authorization, Origin }, ...changes })),
  };
}

describe('for the pages of allowed origins', async () => {
  const { handler, post, lines } = await start([APP, OTHER_APP]);

  test.each([APP, OTHER_APP])('a response can be read, and its other headers stay: %s', async (origin) => {
    const headers = { ...USUAL, ...READABLE, 'access-control-allow-origin': origin };
    expect(await post(origin)).toMatchObject({ statusCode: 200, headers });
  });

  test('an error can be read, the early response too', async () => {
    const refused = await post(APP, { path: '/elsewhere/plants/', resource: '/{proxy+}' });
    const operation = () => new Promise<never>(() => undefined);
    const slow = makeHandler(operation, { writeLog: () => undefined, allowedOrigins: [APP] });
    const context = { getRemainingTimeInMillis: () => 501, awsRequestId: 'lambda-1' };
    const early = await slow({ headers: { origin: APP } }, context);
    expect(refused).toBeRefused(40401);
    expect(early).toBeRefused(50401);
    for (const { headers } of [refused, early]) expect(headers).toMatchObject(READABLE);
  });

  test.each([
    ['another origin', 'https://evil.example'],
    ['an origin that begins with an allowed one', `${APP}.evil.example`],
    ['a part of an allowed origin', 'https://app.example'],
    ['all allowed origins at once', `${APP} ${OTHER_APP}`],
  ])('%s gets no CORS headers, but the usual response', async (_, origin) => {
    const { statusCode, headers } = await post(origin);
    expect([statusCode, headers]).toEqual([200, UNREADABLE]);
    const preflighted = await handler(preflight({ Origin: origin }));
    expect(preflighted).toBeRefused(40401);
    expect(preflighted.headers).toEqual(UNREADABLE);
  });

  test('a request with two origins gets no CORS headers', async () => {
    const response = await post('', { path: '/', multiValueHeaders: { Origin: [APP, OTHER_APP] } });
    expect(response.headers).toEqual(UNREADABLE);
  });

  test.each(['/plants', '/{proxy+}'])('a preflight is returned without a token: %s', async (resource) => {
    expect(await handler(preflight({}, resource))).toEqual({
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
    expect(lines.at(-1)).toMatchObject({ outcome: 'preflight' });
  });

  const USUAL_NAMES = 'authorization, content-type';
  test.each([
    ['as browsers list them', 'authorization,baggage,x-a', `${USUAL_NAMES}, authorization,baggage,x-a`],
    ['as a proxy joins them', 'X-A, x-b', `${USUAL_NAMES}, X-A, x-b`],
    ['of all characters', "!#$%&'+-.^_`|~09az", `${USUAL_NAMES}, !#$%&'+-.^_\`|~09az`],
    ['of 1,024 characters', 'a'.repeat(1_024), `${USUAL_NAMES}, ${'a'.repeat(1_024)}`],
    ['of 1,025 characters', 'a'.repeat(1_025), USUAL_NAMES],
    ['with a quotation mark', 'x-a,"b"', USUAL_NAMES],
    ['with a wildcard', 'x-a,*', USUAL_NAMES],
    ['with a line break', 'x-a\r\nset-cookie: b', USUAL_NAMES],
  ])('a page may send the headers that its preflight asks for: names %s', async (_, requested, allowed) => {
    const { headers } = await handler(preflight({ 'Access-Control-Request-Headers': requested }));
    expect(headers?.['access-control-allow-headers']).toBe(allowed);
  });

  test.each([
    ['OPTIONS without a requested method', 'OPTIONS', undefined, 40401],
    ['POST with a requested method', 'POST', 'POST', 40101],
  ])('%s is not a preflight', async (_, httpMethod, requested, error) => {
    const event = preflight({ 'Access-Control-Request-Method': requested });
    expect(await handler({ ...event, httpMethod })).toBeRefused(error);
  });
});

describe('with a wildcard', async () => {
  const { handler, post } = await start(['*']);
  test.each(['https://evil.example', 'null'])('every origin may read the responses: %s', async (origin) => {
    const headers = { ...READABLE, 'access-control-allow-origin': '*' };
    expect(await post(origin)).toMatchObject({ statusCode: 200, headers });
    expect(await handler(preflight({ Origin: origin }))).toMatchObject({ statusCode: 204, headers });
  });
});

describe('without allowed origins', async () => {
  const { handler, post } = await start();
  test('no response has a CORS header or Vary, and a preflight gets 40401', async () => {
    const preflighted = await handler(preflight({}));
    expect(preflighted).toBeRefused(40401);
    for (const { headers } of [preflighted, await post(APP)]) expect(headers).toEqual(USUAL);
  });
});
