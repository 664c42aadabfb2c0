import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, plantEvent, startTestService, type TestService } from '../support/test-service.ts';

// The cases of contract/cases.yaml test the steps; envelope.test.ts tests what is around them.

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
