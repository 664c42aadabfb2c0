import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { createPlantStore, type ListQuery } from '../../client/src/index.ts';
import { plantOf } from '../../client/test/scripted-service.ts';
import { EXAMPLES, LEAST } from '../../contract/examples.ts';
import { idJson } from '../../contract/key.ts';
import { LISTED_BY } from '../../lambda/listed-by.ts';
import { itemOf } from '../support/stored-item.ts';
import { operationEvent, plantEvent, startTestService } from '../support/test-service.ts';

// The group "listing plants" of contract/list-cases.ts tests what is refused.

const service = await startTestService();
afterAll(service.close);

type Value = ListQuery[typeof LISTED_BY];
const [value, another] = EXAMPLES[LISTED_BY] as [Value, Value];

/** Reads a list to its end. @returns the ids on each page */
async function pagesOf(query: Omit<ListQuery, typeof LISTED_BY>, of = value): Promise<unknown[][]> {
  const { plants, next } = await service.plantStore.listPlants({ [LISTED_BY]: of, ...query });
  const ids = plants.map(({ id }) => id);
  return next === undefined ? [ids] : [ids, ...(await pagesOf({ ...query, page: next }, of))];
}

test('a list goes on from page to page, with every digit of the ids, and says so in the log', async () => {
  const numbers = [-9223372036854775808n, 9007199254740993n, 9223372036854775807n];
  const plants = numbers.map((id) => plantOf(id, { ...LEAST, [LISTED_BY]: value }));
  for (const plant of plants) await service.plantStore.createPlant(plant);
  await service.plantStore.createPlant(plantOf(1, { ...LEAST, [LISTED_BY]: another }));
  // As texts, these numbers have the same order.
  const [first, second, third] = plants.map(({ id }) => id).sort();
  expect(await pagesOf({ limit: 2 })).toEqual([[first, second], [third]]);
  expect(service.lines.at(-1)).toMatchObject({ outcome: 'listed' });
});

test('a page that DynamoDB ends at a megabyte is shorter, and the list goes on', async () => {
  const attributes = { ...marshall({ [LISTED_BY]: another }), later: { S: 'x'.repeat(390_000) } };
  for (const id of ['1', '2', '3', '4']) await service.put({ ...itemOf(id), ...attributes });
  const pages = await pagesOf({}, another);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat()).toEqual([1, 2, 3, 4].map((id) => plantOf(id).id));
});

test('a damaged item, a query that no gateway sends, and what is no page, are refused', async () => {
  const [name = ''] = Object.keys(LEAST).filter((each) => each !== LISTED_BY);
  await service.put({ ...itemOf('5'), [name]: { NULL: true }, ...marshall({ [LISTED_BY]: another }) });
  await expect(pagesOf({}, another)).rejects.toMatchObject({ error: 50001 });
  expect(service.lines.at(-1)).toMatchObject({ fault: 'damaged response' });
  const ofAnother = Buffer.from(`[${JSON.stringify(another)},${idJson(1)}]`).toString('base64url');
  for (const page of ['W10', ofAnother])
    await expect(pagesOf({ page })).rejects.toMatchObject({ error: 40002 });
  const event = { ...plantEvent(service.token, undefined), ...operationEvent('GET', '/plants') };
  for (const multiValueQueryStringParameters of [null, { [LISTED_BY]: 7 }])
    expect(await service.handler({ ...event, multiValueQueryStringParameters } as never)).toBeRefused(40002);
});

test.each([{ plants: {} }, { plants: [{}] }, {}])('%o is no page of the service', async (body) => {
  const options = { baseUrl: 'http://test', token: 't', maxAttempts: 1 };
  const foreign = createPlantStore({ ...options, fetch: async () => Response.json(body) });
  await expect(foreign.listPlants({ [LISTED_BY]: value })).rejects.toMatchObject({ error: 50401 });
});
