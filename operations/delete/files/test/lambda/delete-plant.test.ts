import { afterAll, expect, test } from 'vitest';
import { createPlantStore } from '../../client/src/index.ts';
import { plantOf } from '../../client/test/scripted-service.ts';
import { LEAST, OTHER, WHOLE } from '../../contract/examples.ts';
import { idOf } from '../../contract/key.ts';
import { PROPERTY_NAMES } from '../../lambda/plant.ts';
import { itemOf } from '../support/stored-item.ts';
import { operationEvent, plantEvent, startTestService } from '../support/test-service.ts';

// The group "deleting a plant" of contract/cases/delete-plant.yaml tests what is refused.

const service = await startTestService();
afterAll(service.close);

const remove = (id: number) => service.plantStore.deletePlant(plantOf(id).id);

test('a plant is deleted with all its properties, also those of a newer version, and a repeat changes nothing', async () => {
  await service.put({ ...itemOf('1', WHOLE), later: { N: '1200' } });
  await remove(1);
  expect(service.lines.at(-1)).toMatchObject({ outcome: 'deleted', id: idOf(1) });
  const left = await service.item('1');
  expect(left).toEqual({ id: '1', version: 0, deletedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
  await remove(1);
  expect(service.lines.at(-1)).toMatchObject({ outcome: 'already-deleted' });
  expect(await service.item('1')).toEqual(left);
});

test('a late retry of the create, or another plant, does not get the id of a deleted one', async () => {
  const { createPlant } = service.plantStore;
  await createPlant(plantOf(2));
  await remove(2);
  for (const plant of [LEAST, OTHER])
    await expect(createPlant(plantOf(2, plant))).rejects.toMatchObject({ error: 40901 });
  expect(await service.item('2')).toMatchObject({ version: 0 });
});

test('an item that says that it is deleted is no plant, whatever else it has', async () => {
  await service.put({ ...itemOf('3'), deletedAt: { S: '2026-01-31T12:00:00.000Z' } });
  await expect(service.plantStore.createPlant(plantOf(3))).rejects.toMatchObject({ error: 40901 });
});

test('no property has the name of what says that a plant is deleted', () => {
  expect(PROPERTY_NAMES).not.toContain('deletedAt');
});

test('of many deletions at once, one deletes', async () => {
  await service.plantStore.createPlant(plantOf(4));
  const { length } = service.lines;
  await Promise.all(Array.from({ length: 8 }, () => remove(4)));
  const outcomes = service.lines.slice(length).map(({ outcome }) => outcome);
  expect(outcomes.sort()).toEqual([...Array.from({ length: 7 }, () => 'already-deleted'), 'deleted']);
});

test('an id that nobody has is refused, and stays free', async () => {
  await expect(remove(5)).rejects.toMatchObject({ error: 40402 });
  expect(await service.item('5')).toBeUndefined();
});

test.each(['%zz', '7.0'])('a path with %s is refused', async (id) => {
  const event = plantEvent(service.token, undefined, operationEvent('DELETE', `/plants/${id}`));
  expect(await service.handler(event)).toBeRefused(40002);
});

test.each([
  ['a response that is no deletion', async () => Response.json({ deleted: 'true' }), /proxy/],
  ['no response', () => Promise.reject(new TypeError('gone')), /the plant may have been deleted, and retry/],
])(
  'after %s, the client says that the plant may be deleted, and nothing of a store',
  async (_, fetch, says) => {
    const { deletePlant } = createPlantStore({ baseUrl: 'http://test', token: 't', maxAttempts: 1, fetch });
    const lost = { error: 50401, message: expect.stringMatching(says), mayBeStored: false };
    await expect(deletePlant(plantOf(1).id)).rejects.toMatchObject(lost);
  },
);
