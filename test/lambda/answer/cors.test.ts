import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlantHandler } from '../../../lambda/create-plant.ts';
import { errorOf, plantEvent, startTestService, type TestService } from '../../support/test-service.ts';

const APP = 'https://app.example.com';
const OTHER_APP = 'http://localhost:5173';

const READABLE = {
  'access-control-allow-origin': APP,
  'access-control-expose-headers':
    'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate',
  vary: 'Origin',
};

/** The headers of an answer that CORS defines, and `Vary`. */
function corsOf({ headers = {} }: { headers?: object | undefined }): object {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(access-control-.*|vary)$/.test(name)),
  );
}

function preflight(headers: Record<string, string> = {}, changes: object = {}): object {
  return {
    ...plantEvent('', undefined),
    httpMethod: 'OPTIONS',
    headers: {
      Origin: APP,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
      ...headers,
    },
    ...changes,
  };
}

describe('for the pages of allowed origins', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ allowedOrigins: [APP, OTHER_APP] });
  });
  afterAll(() => service.close());

  const from = (origin: string, changes: object = {}) => ({
    headers: { Authorization: `Bearer ${service.token}`, Origin: origin },
    ...changes,
  });
  const post = (body: string, changes: object) => service.handler(plantEvent(service.token, body, changes));

  test('a plant can be read, and the other headers stay', async () => {
    const answer = await post('{"id":1,"name":"Fern"}', from(APP));
    expect(answer).toEqual({
      statusCode: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': 'request-1',
        ...READABLE,
      },
      body: '{"name":"Fern"}',
    });
  });

  test.each([
    [40001, '{', {}],
    [40002, '{"id":"1"}', {}],
    [40101, '{}', { headers: { origin: APP } }],
    [40102, '{}', { headers: { origin: APP, authorization: 'Bearer x' } }],
    [40401, '{}', { httpMethod: 'GET' }],
    [40401, '{}', { path: '/elsewhere/plants/', resource: '/{proxy+}' }],
    [40901, '{"id":1,"name":"Moss"}', {}],
    [41301, `{"id":2,"name":"${'x'.repeat(410_000)}"}`, {}],
  ])('the error %i can be read', async (error, body, changes) => {
    await post('{"id":1,"name":"Fern"}', from(APP));
    const answer = await post(body, from(APP, changes));
    expect([errorOf(answer), corsOf(answer)]).toEqual([error, READABLE]);
  });

  test('a fault can be read, and so can the early answer', async () => {
    const failing = createPlantHandler({
      accessTokens: { find: () => Promise.reject(new TypeError('bug')) },
      plants: { create: () => Promise.reject(new Error('never called')) },
      writeLog: () => undefined,
      allowedOrigins: [APP],
    });
    const event = plantEvent(service.token, '{}', from(APP));
    const fault = await failing(event, {});
    expect([errorOf(fault), corsOf(fault)]).toEqual([50001, READABLE]);
    const hanging = createPlantHandler({
      accessTokens: { find: () => new Promise(() => undefined) },
      plants: { create: () => Promise.reject(new Error('never called')) },
      writeLog: () => undefined,
      allowedOrigins: [APP],
    });
    const early = await hanging(event, { getRemainingTimeInMillis: () => 501 });
    expect([errorOf(early), corsOf(early)]).toEqual([50401, READABLE]);
  });

  test('each allowed origin gets its own name back', async () => {
    const answer = await post('{}', from(OTHER_APP));
    expect(corsOf(answer)).toEqual({ ...READABLE, 'access-control-allow-origin': OTHER_APP });
  });

  test.each([
    ['another origin', 'https://evil.example'],
    ['an origin that begins with an allowed one', `${APP}.evil.example`],
    ['a part of an allowed origin', 'https://app.example'],
    ['another port', `${APP}:8443`],
    ['another scheme', 'http://app.example.com'],
    ['upper case, which no browser sends', 'https://APP.example.com'],
    ['the opaque origin', 'null'],
    ['an empty one', ''],
    ['the list itself', `${APP} ${OTHER_APP}`],
    ['a wildcard', '*'],
  ])('%s gets no CORS headers, but the usual answer', async (_, origin) => {
    const answer = await post('{"id":1,"name":"Fern"}', from(origin));
    expect([answer.statusCode, corsOf(answer)]).toEqual([200, { vary: 'Origin' }]);
    const asked = await service.handler(preflight({ Origin: origin }));
    expect([errorOf(asked), corsOf(asked)]).toEqual([40401, { vary: 'Origin' }]);
  });

  test('a request with two origins, or without one, gets no CORS headers', async () => {
    const twice = { multiValueHeaders: { Origin: [APP, OTHER_APP] } };
    expect(corsOf(await post('{}', twice))).toEqual({ vary: 'Origin' });
    expect(corsOf(await post('{}', {}))).toEqual({ vary: 'Origin' });
    expect(corsOf(await service.handler(null))).toEqual({ vary: 'Origin' });
  });

  test('a preflight is answered without a token, on every path', async () => {
    for (const changes of [{}, { path: '/x/plants', resource: '/{proxy+}' }, { path: '/', resource: '/' }]) {
      expect(await service.handler(preflight({}, changes))).toEqual({
        statusCode: 204,
        headers: {
          'content-type': 'application/json',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'x-request-id': 'request-1',
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'authorization, content-type',
          'access-control-max-age': '7200',
          ...READABLE,
        },
        body: '',
      });
    }
  });

  test('a preflight logs a line, or it would count as not completed', async () => {
    await service.handler(preflight());
    expect(service.lines.at(-1)).toEqual({
      outcome: 'preflight',
      duration: expect.any(Number),
      request: 'request-1',
      version: '7',
    });
  });

  test('OPTIONS without a requested method is not a preflight; neither is another method with one', async () => {
    const { 'Access-Control-Request-Method': _, ...headers } = (preflight() as { headers: object })
      .headers as Record<string, string>;
    expect(errorOf(await service.handler(preflight({}, { headers })))).toBe(40401);
    expect(errorOf(await service.handler(preflight({}, { httpMethod: 'GET' })))).toBe(40401);
    expect(errorOf(await service.handler(preflight({}, { httpMethod: 'POST' })))).toBe(40101);
  });
});

describe('with a wildcard', () => {
  test('every origin may read the answers', async () => {
    const service = await startTestService({ allowedOrigins: ['*'] });
    for (const origin of [APP, 'https://evil.example', 'null']) {
      const headers = { authorization: `Bearer ${service.token}`, origin };
      const answer = await service.handler(plantEvent(service.token, '{"id":1,"name":"Fern"}', { headers }));
      expect(corsOf(answer)).toEqual({ ...READABLE, 'access-control-allow-origin': '*' });
      const asked = await service.handler(preflight({ Origin: origin }));
      expect([asked.statusCode, asked.headers]).toMatchObject([204, { 'access-control-allow-origin': '*' }]);
    }
    await service.close();
  });
});

describe('without allowed origins', () => {
  test('no answer has a CORS header or Vary, and a preflight gets 40401', async () => {
    const service = await startTestService();
    const headers = { authorization: `Bearer ${service.token}`, origin: APP };
    const created = await service.handler(plantEvent(service.token, '{"id":1,"name":"Fern"}', { headers }));
    const refused = await service.handler(plantEvent('', '{}', { headers: { origin: APP } }));
    const asked = await service.handler(preflight());
    expect([created, refused, asked].map(corsOf)).toEqual([{}, {}, {}]);
    expect([created.statusCode, errorOf(refused), errorOf(asked)]).toEqual([200, 40101, 40401]);
    await service.close();
  });
});
