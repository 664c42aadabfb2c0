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

describe('the function answers every event', () => {
  const request = { httpMethod: 'POST', resource: '/plants', path: '/plants' };
  test.each([
    ['nothing', undefined, 40401],
    ['null', null, 40401],
    ['a string', 'hello', 40401],
    ['an empty object', {}, 40401],
    ['an array', [], 40401],
    ['a queue message', { Records: [{ body: '{"id":1,"name":"Fern"}' }] }, 40401],
    ['another operation', { ...request, httpMethod: 'GET' }, 40401],
    ['a path that is not a string', { ...request, path: 7 }, 40401],
    ['null headers', { ...request, headers: null, multiValueHeaders: null }, 40101],
    ['headers that are not strings', { ...request, headers: { authorization: 7 } }, 40101],
    ['a null context', { ...request, requestContext: null }, 40101],
  ])('%s', async (_, event, error) => {
    expect(errorOf(await service.handler(event))).toBe(error);
  });

  test('no body, a body that is not a string, and a body with a lone surrogate are 40001', async () => {
    for (const body of [null, undefined, 7, {}, '{"id":1,"name":"\ud800"}']) {
      const event = plantEvent(service.token, undefined, { body: body as never, isBase64Encoded: false });
      expect(errorOf(await service.handler(event))).toBe(40001);
    }
  });

  test('a body that is not in base64 is read as text', async () => {
    const answer = await post('', { body: '{"id":10,"name":"Fougère"}', isBase64Encoded: false });
    expect(answer.body).toBe('{"name":"Fougère"}');
    expect(await service.item('10')).toEqual({ id: '10', name: 'Fougère' });
  });

  test('alternate callers of one warm function each get their own answer', async () => {
    const { token } = await service.admin.issue('another');
    for (const round of [1, 2]) {
      const mine = await post(`{"id":2${round},"name":"Moss"}`);
      const theirs = await service.handler(plantEvent(token, `{"id":3${round},"name":"Ivy"}`));
      expect([mine.body, theirs.body]).toEqual(['{"name":"Moss"}', '{"name":"Ivy"}']);
      expect(service.lines.slice(-1)).toMatchObject([{ token: 'another', id: `3${round}` }]);
    }
  });

  test('the path may start with a base path of a custom domain', async () => {
    expect((await post('{"id":40,"name":"Fern"}', { path: '/v1/plants' })).statusCode).toBe(200);
    expect(errorOf(await post('{"id":40,"name":"Fern"}', { path: '/v1/plants/' }))).toBe(40401);
  });
});

describe('a create can be repeated, and a taken id is never overwritten', () => {
  test('the same plant 64 times at once gets 200 each time and is one item', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => post('{"id":50,"name":"Fern","tag":"shade"}')),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(64).fill(200));
    expect(await service.item('50')).toEqual({ id: '50', name: 'Fern', tag: 'shade' });
  });

  test('of 64 different plants at once under one id, one is stored and the others get 40901', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => post(`{"id":51,"name":"Fern ${n}"}`)),
    );
    const winners = answers.filter(({ statusCode }) => statusCode === 200);
    const losers = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(winners).toHaveLength(1);
    expect(losers.map(errorOf)).toEqual(Array(63).fill(40901));
    expect(await service.item('51')).toEqual({ id: '51', ...JSON.parse(winners[0]?.body ?? '') });
  });

  test('a repeat rewrites the whole item, so an item has only id, name and tag', async () => {
    await post('{"id":52,"name":"Fern","tag":"shade","note":"not stored"}');
    await post('{"id":52,"name":"Fern","tag":"shade"}');
    expect(await service.item('52')).toEqual({ id: '52', name: 'Fern', tag: 'shade' });
  });

  test('the log distinguishes created from repeated', async () => {
    await post('{"id":53,"name":"Fern"}');
    await post('{"id":53,"name":"Fern"}');
    expect(service.lines.slice(-2)).toMatchObject([{ outcome: 'created' }, { outcome: 'repeated' }]);
  });
});

describe('each request logs one line', () => {
  test('an accepted one: caller, plant and duration', async () => {
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

  test('a refused one: the error and what is known so far', async () => {
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

  test('only the first line of a process reports a cold start', () => {
    expect(service.lines[0]).toHaveProperty('coldStart', true);
    expect(service.lines.slice(1).filter((line) => 'coldStart' in line)).toEqual([]);
  });

  test('the request id is the gateway’s, otherwise Lambda’s, otherwise "unknown"', async () => {
    const nobody = { httpMethod: 'GET' };
    expect((await service.handler(nobody, { awsRequestId: 'lambda-1' })).headers).toMatchObject({
      'x-request-id': 'lambda-1',
    });
    expect((await service.handler(nobody)).headers).toMatchObject({ 'x-request-id': 'unknown' });
  });

  test.each([[[]], [''], [7], [Object.create(null)]])(
    'a request id that is not a string, which no gateway sends, does no harm: %j',
    async (requestId) => {
      const { statusCode, headers } = await service.handler({ requestContext: { requestId } });
      expect(statusCode).toBe(400);
      expect(headers).toMatchObject({ 'x-request-id': 'unknown' });
    },
  );

  test('no line contains a token, a digest, or a plant’s name or tag', async () => {
    await post('{"id":60,"name":"Secret name","tag":"Secret tag"}');
    await post('{"id":60,"name":"Secret other"}');
    const log = JSON.stringify(service.lines);
    expect(log).toContain('"id":"60"');
    expect(leaks(log, [service.token, 'Secret name', 'Secret tag', 'Secret other', 'Fern', 'shade'])).toEqual(
      [],
    );
  });
});

describe('a bug leads to an answer, not a crash', () => {
  const handlerWith = (thrown: unknown, lines: RequestLogLine[] = []) =>
    createPlantHandler({
      accessTokens: { find: () => Promise.reject(thrown) },
      plants: { create: () => Promise.reject(thrown) },
      writeLog: (line) => lines.push(line),
    });

  test('the answer is 50001; the log has the stack frames but not the message', async () => {
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

  test.each([['a text'], [undefined]])('throwing %s gets an answer too', async (thrown) => {
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
    const lines: RequestLogLine[] = [];
    const handler = handlerWith(new Failure('UNAVAILABLE'), lines);
    expect(errorOf(await handler(plantEvent(service.token, '{}'), {}))).toBe(50301);
    // No token name, id, version or fault: a field without a value is omitted.
    expect(lines).toStrictEqual([
      {
        outcome: 'failed',
        error: 50301,
        duration: expect.any(Number),
        request: 'request-1',
        coldStart: true,
      },
    ]);
  });
});

describe('a failing log changes no answer', () => {
  const over = (writeLog: () => void) =>
    createPlantHandler({
      accessTokens: { find: async () => 'ci' },
      plants: { create: async () => 'created' },
      writeLog,
    });
  const full = () => {
    throw new Error('the log is full');
  };

  test('a stored plant gets 200', async () => {
    const answer = await over(full)(plantEvent(service.token, '{"id":1,"name":"Fern"}'), {});
    expect(answer).toMatchObject({ statusCode: 200, body: '{"name":"Fern"}' });
  });

  test('a refusal keeps its number', async () => {
    expect(errorOf(await over(full)(plantEvent(service.token, '{"id":1.5}'), {}))).toBe(40002);
  });
});
