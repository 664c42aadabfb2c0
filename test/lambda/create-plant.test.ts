import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../lambda/answer/errors.ts';
import { createPlantHandler } from '../../lambda/create-plant.ts';
import type { RequestLogLine } from '../../lambda/request/request.ts';
import { errorOf, leaks, plantEvent, startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const post = (body: string, changes = {}) => service.handler(plantEvent(service.token, body, changes));

describe('whatever the event looks like, the function answers', () => {
  const request = { httpMethod: 'POST', resource: '/plants', path: '/plants' };
  test.each([
    ['nothing', undefined, 40401],
    ['null', null, 40401],
    ['a text', 'hello', 40401],
    ['an empty object', {}, 40401],
    ['an array', [], 40401],
    ['a queue message', { Records: [{ body: '{"id":1,"name":"Fern"}' }] }, 40401],
    ['another operation', { ...request, httpMethod: 'GET' }, 40401],
    ['a path that is no text', { ...request, path: 7 }, 40401],
    ['null headers', { ...request, headers: null, multiValueHeaders: null }, 40101],
    ['headers that are no texts', { ...request, headers: { authorization: 7 } }, 40101],
    ['a null context', { ...request, requestContext: null }, 40101],
  ])('%s', async (_, event, error) => {
    expect(errorOf(await service.handler(event))).toBe(error);
  });

  test('no body, a body that is no text, and a text with half a surrogate pair are 40001', async () => {
    for (const body of [null, undefined, 7, {}, '{"id":1,"name":"\ud800"}']) {
      const event = plantEvent(service.token, undefined, { body: body as never, isBase64Encoded: false });
      expect(errorOf(await service.handler(event))).toBe(40001);
    }
  });

  test('a body that arrives as text is read as it stands', async () => {
    const answer = await post('', { body: '{"id":10,"name":"Fougère"}', isBase64Encoded: false });
    expect(answer.body).toBe('{"name":"Fougère"}');
    expect(await service.item('10')).toEqual({ id: '10', name: 'Fougère' });
  });

  test('two callers in turn on one warm function get each their own answer', async () => {
    const { token } = await service.admin.issue('another');
    for (const round of [1, 2]) {
      const mine = await post(`{"id":2${round},"name":"Moss"}`);
      const theirs = await service.handler(plantEvent(token, `{"id":3${round},"name":"Ivy"}`));
      expect([mine.body, theirs.body]).toEqual(['{"name":"Moss"}', '{"name":"Ivy"}']);
      expect(service.lines.slice(-1)).toMatchObject([{ token: 'another', id: `3${round}` }]);
    }
  });

  test('the custom domain may put a base path in front', async () => {
    expect((await post('{"id":40,"name":"Fern"}', { path: '/v1/plants' })).statusCode).toBe(200);
    expect(errorOf(await post('{"id":40,"name":"Fern"}', { path: '/v1/plants/' }))).toBe(40401);
  });
});

describe('a create is safe to repeat, and a taken id is safe from others', () => {
  test('the same plant at once, 64 times, is 64 times 200 and one item', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => post('{"id":50,"name":"Fern","tag":"shade"}')),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(64).fill(200));
    expect(await service.item('50')).toEqual({ id: '50', name: 'Fern', tag: 'shade' });
  });

  test('64 different plants at once under one id: one is stored, the others are 40901', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => post(`{"id":51,"name":"Fern ${n}"}`)),
    );
    const winners = answers.filter(({ statusCode }) => statusCode === 200);
    const losers = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(winners).toHaveLength(1);
    expect(losers.map(errorOf)).toEqual(Array(63).fill(40901));
    expect(await service.item('51')).toEqual({ id: '51', ...JSON.parse(winners[0]?.body ?? '') });
  });

  test('a repeat rewrites the whole item, so an item is id, name and tag and nothing else', async () => {
    await post('{"id":52,"name":"Fern","tag":"shade","note":"not stored"}');
    await post('{"id":52,"name":"Fern","tag":"shade"}');
    expect(await service.item('52')).toEqual({ id: '52', name: 'Fern', tag: 'shade' });
  });

  test('the log tells created from repeated', async () => {
    await post('{"id":53,"name":"Fern"}');
    await post('{"id":53,"name":"Fern"}');
    expect(service.lines.slice(-2)).toMatchObject([{ outcome: 'created' }, { outcome: 'repeated' }]);
  });
});

describe('each request logs one line', () => {
  test('an accepted one: who, what, how long', async () => {
    const before = service.lines.length;
    await post('{"id":9223372036854775807,"name":"Fern"}');
    expect(service.lines.slice(before)).toEqual([
      {
        outcome: 'created',
        duration: expect.any(Number),
        token: expect.stringMatching(/^test-/),
        id: '9223372036854775807',
        request: 'request-1',
        version: '7',
      },
    ]);
  });

  test('a refused one: the error, and what was known by then', async () => {
    await post('{"id":1.5,"name":"Fern"}');
    expect(service.lines.at(-1)).toEqual({
      outcome: 'refused',
      error: 40002,
      duration: expect.any(Number),
      token: expect.any(String),
      request: 'request-1',
      version: '7',
    });
  });

  test('only the first line of a process says that it was a cold start', () => {
    expect(service.lines[0]).toHaveProperty('coldStart', true);
    expect(service.lines.slice(1).filter((line) => 'coldStart' in line)).toEqual([]);
  });

  test('the request id is the gateway’s, else Lambda’s, else it says so', async () => {
    const nobody = { httpMethod: 'GET' };
    expect((await service.handler(nobody, { awsRequestId: 'lambda-1' })).headers).toMatchObject({
      'x-request-id': 'lambda-1',
    });
    expect((await service.handler(nobody)).headers).toMatchObject({ 'x-request-id': 'unknown' });
  });

  test.each([[[]], [''], [7], [Object.create(null)]])(
    'a request id that is no text, which no gateway sends, stands in nobody’s way: %j',
    async (requestId) => {
      const { statusCode, headers } = await service.handler({ requestContext: { requestId } });
      expect(statusCode).toBe(400);
      expect(headers).toMatchObject({ 'x-request-id': 'unknown' });
    },
  );

  test('no line holds a token, a digest, or a plant’s name or tag', async () => {
    await post('{"id":60,"name":"Secret name","tag":"Secret tag"}');
    await post('{"id":60,"name":"Secret other"}');
    const log = JSON.stringify(service.lines);
    expect(service.lines.length).toBeGreaterThan(100);
    expect(leaks(log, [service.token, 'Secret name', 'Secret tag', 'Secret other', 'Fern', 'shade'])).toEqual(
      [],
    );
  });
});

describe('a bug is a fault of the service, not a crash', () => {
  const handlerWith = (thrown: unknown, lines: RequestLogLine[] = []) =>
    createPlantHandler({
      accessTokens: { find: () => Promise.reject(thrown) },
      plants: { create: () => Promise.reject(thrown) },
      writeLog: (line) => lines.push(line),
    });

  test('it is 50001, and the log says where it is but not what it said', async () => {
    const lines: RequestLogLine[] = [];
    const handler = handlerWith(new TypeError('secret value'), lines);
    const answer = await handler(plantEvent(service.token, '{}'), {});
    expect(errorOf(answer)).toBe(50001);
    expect(lines[0]).toMatchObject({
      outcome: 'failed',
      fault: 'TypeError',
      at: expect.stringContaining('create-plant.test.ts'),
    });
    expect(JSON.stringify(lines) + answer.body).not.toContain('secret value');
  });

  test.each([['a text'], [undefined]])('throwing %s is answered too', async (thrown) => {
    const answer = await handlerWith(thrown)(plantEvent(service.token, '{}'), {});
    expect(errorOf(answer)).toBe(50001);
  });

  test('an error without a stack is logged without frames', async () => {
    const lines: RequestLogLine[] = [];
    const bare = new Error('bare');
    delete bare.stack;
    await handlerWith(bare, lines)(plantEvent(service.token, '{}'), {});
    expect(lines[0]).toMatchObject({ fault: 'Error', at: '' });
  });

  test('a published error keeps its number', async () => {
    const handler = handlerWith(new Failure('UNAVAILABLE'));
    expect(errorOf(await handler(plantEvent(service.token, '{}'), {}))).toBe(50301);
  });
});

describe('nothing rejects, and a log that fails changes no answer', () => {
  const over = (writeLog: () => void) =>
    createPlantHandler({
      accessTokens: { find: async () => 'ci' },
      plants: { create: async () => 'created' },
      writeLog,
    });
  const full = () => {
    throw new Error('the log is full');
  };

  test('a plant that was stored is answered with 200', async () => {
    const answer = await over(full)(plantEvent(service.token, '{"id":1,"name":"Fern"}'), {});
    expect(answer).toMatchObject({ statusCode: 200, body: '{"name":"Fern"}' });
  });

  test('a refusal keeps its number', async () => {
    expect(errorOf(await over(full)(plantEvent(service.token, '{"id":1.5}'), {}))).toBe(40002);
  });
});
