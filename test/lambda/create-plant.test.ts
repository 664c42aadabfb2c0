import { afterAll, expect, test } from 'vitest';
import { plantOf } from '../../client/test/scripted-service.ts';
import { bodyOf, LEAST, OTHER } from '../../contract/examples.ts';
import { itemOf } from '../support/stored-item.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';

// The cases of contract/cases/create-plant.yaml test the steps; middleware.test.ts tests what is around them.

const service = await startTestService();
afterAll(service.close);

const post = (body: string) => service.handler(plantEvent(service.token, body));

const EVENT = plantEvent('', undefined);
test.each<[string, event: unknown, number]>([
  ['nothing', undefined, 40401],
  ['null', null, 40401],
  ['an empty object', {}, 40401],
  ['a queue message', { Records: [{ body: bodyOf(1) }] }, 40401],
  ['a resource that is null', { ...EVENT, resource: null }, 40401],
  ['headers that are null', { ...EVENT, headers: null, multiValueHeaders: null }, 40101],
  ['headers that are no texts', { ...EVENT, multiValueHeaders: { authorization: [null, 7] } }, 40101],
  ['headers named as every object’s', { ...EVENT, multiValueHeaders: { constructor: ['x'] } }, 40101],
])('an event that no gateway sends gets a response: %s', async (_, event, error) => {
  expect(await service.handler(event, { awsRequestId: 'lambda-1' })).toBeRefused(error);
});

test('of two plants, each sent 8 times at once under one id, one is stored and the other gets 40901', async () => {
  const responses = await Promise.all(
    Array.from({ length: 16 }, (_, n) => post(bodyOf(51, n % 2 ? LEAST : OTHER))),
  );
  const winners = responses.filter(({ statusCode }) => statusCode === 200);
  const losers = responses.filter(({ statusCode }) => statusCode !== 200);
  expect(winners).toHaveLength(8);
  expect(new Set(winners.map(({ body }) => body)).size).toBe(1);
  for (const loser of losers) expect(loser).toBeRefused(40901);
  expect(await service.item('51')).toEqual({ id: '51', ...JSON.parse(winners[0]?.body ?? '') });
});

test('a plant of the client is stored with every digit of its id', async () => {
  expect(await service.plantStore.createPlant(plantOf(9007199254740993n))).toEqual(LEAST);
  expect(await service.item('9007199254740993')).toMatchObject(LEAST);
});

test('a retry changes nothing of what a newer version stored', async () => {
  await service.put({ ...itemOf('60'), later: { N: '1200' } });
  expect(await post(bodyOf(60))).toMatchObject({ statusCode: 200 });
  expect(await service.item('60')).toEqual({ id: '60', ...LEAST, later: 1_200 });
});
