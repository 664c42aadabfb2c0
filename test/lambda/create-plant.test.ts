import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlantHandler } from '../../lambda/create-plant.ts';
import { Failure } from '../../lambda/errors.ts';
import type { RequestLogLine } from '../../lambda/request/request.ts';
import { errorOf, plantEvent, startTestService, type TestService } from '../support/test-service.ts';

// The cases of contract/cases.yaml test the steps; test/security/secrets.test.ts tests what is never logged.

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const post = (body: string) => service.handler(plantEvent(service.token, body));

describe('the function responds to every event', () => {
  const request = { httpMethod: 'POST', resource: '/plants', path: '/plants' };
  test.each([
    ['nothing', undefined, 40401],
    ['null', null, 40401],
    ['a string', 'hello', 40401],
    ['an empty object', {}, 40401],
    ['a queue message', { Records: [{ body: '{"id":1,"name":"Fern"}' }] }, 40401],
    ['null headers', { ...request, headers: null, multiValueHeaders: null }, 40101],
    ['a null request context', { ...request, requestContext: null }, 40101],
  ])('%s', async (_, event, error) => {
    expect(errorOf(await service.handler(event))).toBe(error);
  });

  test('callers that alternate on one warm function each get their own response', async () => {
    const { token } = await service.admin.issue('another');
    for (const round of [1, 2]) {
      const mine = await post(`{"id":2${round},"name":"Moss"}`);
      const theirs = await service.handler(plantEvent(token, `{"id":3${round},"name":"Ivy"}`));
      expect([mine.body, theirs.body]).toEqual(['{"name":"Moss"}', '{"name":"Ivy"}']);
      expect(service.lines.at(-1)).toMatchObject({ token: 'another', id: `3${round}` });
    }
  });
});

describe('a create can be repeated, and a taken id is never overwritten', () => {
  test('the same plant 64 times at once gets 200 each time and is one item', async () => {
    const responses = await Promise.all(
      Array.from({ length: 64 }, () => post('{"id":50,"name":"Fern","tag":"shade"}')),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(64).fill(200));
    expect(await service.item('50')).toEqual({ id: '50', name: 'Fern', tag: 'shade' });
  });

  test('of 64 different plants at once under one id, one is stored and the others get 40901', async () => {
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, n) => post(`{"id":51,"name":"Fern ${n}"}`)),
    );
    const winners = responses.filter(({ statusCode }) => statusCode === 200);
    const losers = responses.filter(({ statusCode }) => statusCode !== 200);
    expect(winners).toHaveLength(1);
    expect(losers.map(errorOf)).toEqual(Array(63).fill(40901));
    expect(await service.item('51')).toEqual({ id: '51', ...JSON.parse(winners[0]?.body ?? '') });
  });
});

describe('each request logs one line', () => {
  const duration = expect.any(Number);

  test('the line has the outcome and all that is known about the request', async () => {
    const before = service.lines.length;
    await post('{"id":9223372036854775807,"name":"Fern"}');
    await post('{"id":9223372036854775807,"name":"Fern"}');
    await post('{"id":1.5,"name":"Fern"}');
    const common = {
      duration,
      token: expect.stringMatching(/^test-/),
      request: 'request-1',
      extendedRequestId: 'JKJaXmPLvHcESHA=',
      version: '7',
    };
    expect(service.lines.slice(before)).toEqual([
      { outcome: 'created', id: '9223372036854775807', ...common },
      { outcome: 'repeated', id: '9223372036854775807', ...common },
      { outcome: 'refused', error: 40002, ...common },
    ]);
  });

  test('only the first line of a process reports a cold start, also if its requests fail', async () => {
    const { lines, handler } = withLog({
      plants: { create: () => Promise.reject(new Failure('UNAVAILABLE')) },
    });
    for (const body of ['{"id":1,"name":"Fern"}', '{', '{"id":1,"name":"Fern"}'])
      await handler(plantEvent(service.token, body), {});
    const seen = lines.map(({ error, coldStart }) => [error, coldStart]);
    expect(seen).toEqual([
      [50301, true],
      [40001, undefined],
      [50301, undefined],
    ]);
  });

  test('a field without a value is omitted', async () => {
    const requestContext = { requestId: 'request-1' } as never;
    const { response, lines } = await refuse(new Failure('UNAVAILABLE'), { requestContext });
    expect(errorOf(response)).toBe(50301);
    expect(lines).toStrictEqual([
      { outcome: 'failed', error: 50301, duration, request: 'request-1', coldStart: true },
    ]);
  });

  test('a sampled request has its trace, read anew for each request', async () => {
    const root = '1-5759e988-bd862e3fe1be46a994272793';
    const headers = [`Root=${root};Parent=53995c3f42cd8ad8;Sampled=1`, `Root=${root};Sampled=0`];
    const { lines, handler } = withLog({ traceHeader: () => headers.shift() });
    await handler(plantEvent(service.token, '{"id":1,"name":"Fern"}'), {});
    await handler(plantEvent(service.token, '{"id":1,"name":"Fern"}'), {});
    expect(lines).toMatchObject([{ outcome: 'created', trace: root }, { outcome: 'created' }]);
    expect(lines[1]).not.toHaveProperty('trace');
  });

  const sentFrom = (sourceIp: unknown, Authorization: string) =>
    plantEvent(service.token, '{"id":1,"name":"Fern"}', {
      headers: { Authorization },
      requestContext: { requestId: 'request-1', identity: { sourceIp } } as never,
    });
  const MALFORMED = 'Bearer plants_guess';
  test.each([
    ['IPv4', '203.0.113.7', '203.0.113.7'],
    ['IPv6', '2001:db8::ff00:42:8329', '2001:db8::ff00:42:8329'],
    ['IPv4 in IPv6', '::ffff:192.0.2.128', '::ffff:192.0.2.128'],
    ['the longest', `${'ffff:'.repeat(6)}255.255.255.255`, `${'ffff:'.repeat(6)}255.255.255.255`],
    ['one character more', `${'ffff:'.repeat(6)}255.255.255.2555`, undefined],
    ['text', 'plants_secret', undefined],
    ['two lines', '203.0.113.7\n203.0.113.8', undefined],
    ['no text', 7, undefined],
    ['nothing', undefined, undefined],
  ])('a refused token has the address of its sender: %s', async (_, sourceIp, address) => {
    const { lines, handler } = withLog();
    await handler(sentFrom(sourceIp, MALFORMED), {});
    const fault = 'malformed token';
    const common = {
      outcome: 'refused',
      error: 40102,
      fault,
      duration,
      request: 'request-1',
      coldStart: true,
    };
    expect(lines).toStrictEqual([address === undefined ? common : { ...common, address }]);
  });

  test.each([
    ['no token', '', 40101],
    ['a plant that is stored', 'Bearer TOKEN', undefined],
  ])('only a refused token has an address, not %s', async (_, authorization, error) => {
    const { lines, handler } = withLog();
    await handler(sentFrom('203.0.113.7', authorization.replace('TOKEN', service.token)), {});
    expect(lines[0]?.error).toBe(error);
    expect(lines[0]).not.toHaveProperty('address');
  });

  test.each([null, 'text', { identity: null }, { identity: 'text' }])(
    'a request context of %j has no address',
    async (requestContext) => {
      const { lines, handler } = withLog();
      const headers = { Authorization: MALFORMED };
      const event = { httpMethod: 'POST', path: '/plants', headers, requestContext };
      expect(errorOf(await handler(event, {}))).toBe(40102);
      expect(lines[0]).not.toHaveProperty('address');
    },
  );

  const full = () => {
    throw new Error('the log is full');
  };
  test.each([
    ['a stored plant', '{"id":1,"name":"Fern"}', '{"name":"Fern"}'],
    ['a refusal', '{"id":1.5}', expect.stringContaining('"error":40002')],
  ])('a failing log changes no response: %s', async (_, sent, body) => {
    const { handler } = withLog({ writeLog: full });
    expect(await handler(plantEvent(service.token, sent), {})).toMatchObject({ body });
  });
});

/** The function over a store that accepts everything, and its log. */
function withLog(others: Partial<Parameters<typeof createPlantHandler>[0]> = {}) {
  const lines: RequestLogLine[] = [];
  const handler = createPlantHandler({
    accessTokens: { find: async () => 'ci' },
    plants: { create: async () => 'created' },
    writeLog: (line) => lines.push(line),
    ...others,
  });
  return { lines, handler };
}

/** A request whose token lookup throws. */
async function refuse(thrown: unknown, changes?: Parameters<typeof plantEvent>[2]) {
  const { lines, handler } = withLog({ accessTokens: { find: () => Promise.reject(thrown) } });
  return { response: await handler(plantEvent(service.token, '{}', changes), {}), lines };
}

describe('a bug leads to 50001, not a crash', () => {
  test('the log has the stack frames but not the message', async () => {
    const { response, lines } = await refuse(new TypeError('secret value'));
    expect(errorOf(response)).toBe(50001);
    const at = expect.stringContaining('create-plant.test.ts');
    expect(lines).toMatchObject([{ outcome: 'failed', fault: 'TypeError', at }]);
    expect(JSON.stringify(lines) + response.body).not.toContain('secret value');
  });

  const bare = new Error('bare');
  delete bare.stack;
  test.each([
    ['a text', 'a text', { fault: 'string' }],
    ['undefined', undefined, { fault: 'undefined' }],
    ['an error without a stack', bare, { fault: 'Error', at: '' }],
  ])('whatever is thrown: %s', async (_, thrown, fields) => {
    const { response, lines } = await refuse(thrown);
    expect(errorOf(response)).toBe(50001);
    expect(lines).toMatchObject([fields]);
  });
});
