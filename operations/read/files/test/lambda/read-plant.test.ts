import { afterAll, expect, test } from 'vitest';
import { createPlantStore } from '../../client/src/index.ts';
import { plantOf } from '../../client/test/scripted-service.ts';
import { isId } from '../../commands/shared/plant-key.ts';
import { LEAST, WHOLE } from '../../contract/examples.ts';
import { idOf } from '../../contract/key.ts';
import { itemOf } from '../support/stored-item.ts';
import { operationEvent, plantEvent, startTestService } from '../support/test-service.ts';

// The group "reading a plant" of contract/cases/read-plant.yaml tests what is refused.

const service = await startTestService();
afterAll(service.close);

const read = (id: bigint | number) => service.plantStore.readPlant(plantOf(id).id);

test('a plant is read by an id with 19 digits, without what a newer version stored beside it, and the log says so', async () => {
  await service.put({ ...itemOf('9223372036854775807', WHOLE), later: { N: '1200' } });
  expect(await read(9223372036854775807n)).toEqual(WHOLE);
  expect(service.lines.at(-1)).toMatchObject({ outcome: 'found', id: idOf(9223372036854775807n) });
});

test('an id that nobody has, and that of a plant which a newer version deleted, are refused', async () => {
  await service.put({
    ...itemOf('2', {}),
    version: { N: '0' },
    deletedAt: { S: '2026-01-31T12:00:00.000Z' },
  });
  for (const id of [1, 2]) await expect(read(id)).rejects.toMatchObject({ error: 40402 });
});

test('a damaged item is a fault', async () => {
  const [name = ''] = Object.keys(LEAST);
  await service.put({ ...itemOf('3'), [name]: { NULL: true } });
  await expect(read(3)).rejects.toMatchObject({ error: 50001 });
  expect(service.lines.at(-1)).toMatchObject({ fault: 'damaged response' });
});

// Of a text, some of them may be ids.
const NO_IDS = ['%zz', '07', '7.0', '"7"', ' 7'].filter((text) => !isId(text));
test.each(NO_IDS)('a path with %s is refused', async (id) => {
  const event = plantEvent(service.token, undefined, operationEvent('GET', `/plants/${id}`));
  expect(await service.handler(event)).toBeRefused(40002);
});

test('a response that is no plant is none of the service', async () => {
  const options = { baseUrl: 'http://test', token: 't', maxAttempts: 1 };
  const foreign = createPlantStore({ ...options, fetch: async () => Response.json({ plants: 7 }) });
  await expect(foreign.readPlant(plantOf(1).id)).rejects.toMatchObject({ error: 50401 });
});
