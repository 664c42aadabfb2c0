import { afterAll, expect, test } from 'vitest';
import { plantOf } from '../../client/test/scripted-service.ts';
import { bodyOf, LEAST, OTHER, type Plant, WHOLE } from '../../contract/examples.ts';
import { idOf } from '../../contract/key.ts';
import { itemOf } from '../support/stored-item.ts';
import { operationEvent, plantEvent, startTestService } from '../support/test-service.ts';

// The group "changing a plant" of contract/cases/change-plant.yaml tests what is refused, and a repeat.

const service = await startTestService();
afterAll(service.close);

const change = (id: number, plant: Plant) => service.plantStore.changePlant(plantOf(id, plant));

test('a change replaces the known properties, and a retry after it changes nothing', async () => {
  await service.put({ ...itemOf('1', WHOLE), later: { N: '1200' } });
  for (const outcome of ['changed', 'already-changed']) {
    expect(await change(1, { ...OTHER, version: 2 })).toEqual({ ...OTHER, version: 2 });
    expect(service.lines.at(-1)).toMatchObject({ outcome, id: idOf(1) });
    expect(await service.item('1')).toEqual({ id: '1', ...OTHER, version: 2, later: 1_200 });
  }
});

test('a plant without a version has version 1, and each change is of the version before', async () => {
  const { version: _, ...first } = LEAST as { version?: unknown };
  await service.put(itemOf('2', first));
  for (const version of [2, 3]) await change(2, { ...WHOLE, version });
  expect(await service.item('2')).toEqual({ id: '2', ...WHOLE, version: 3 });
  for (const version of [2, 5])
    await expect(change(2, { ...OTHER, version })).rejects.toMatchObject({
      error: 40902,
      mayBeStored: false,
    });
  expect(await service.item('2')).toMatchObject({ version: 3 });
});

test('of different changes at once, one is stored and the others get 40902', async () => {
  await service.put(itemOf('3', { ...LEAST, version: 1 }));
  const results = await Promise.allSettled(
    [WHOLE, LEAST, OTHER].map((plant) => change(3, { ...plant, version: 2 })),
  );
  const refused = results.flatMap((result) => (result.status === 'rejected' ? result.reason.error : []));
  expect(refused).toEqual([40902, 40902]);
});

test('a create that is repeated after a change is refused, and the change stays', async () => {
  await service.plantStore.createPlant(plantOf(4));
  await change(4, { ...OTHER, version: 2 });
  await expect(service.plantStore.createPlant(plantOf(4))).rejects.toMatchObject({ error: 40901 });
  expect(await service.item('4')).toMatchObject({ version: 2 });
});

test('a plant that a newer version deleted is not there, and stays deleted', async () => {
  const gone = { version: { N: '0' }, deletedAt: { S: '2026-01-31T12:00:00.000Z' } };
  await service.put({ ...itemOf('5', {}), ...gone });
  for (const version of [2, 3])
    await expect(change(5, { ...LEAST, version })).rejects.toMatchObject({ error: 40402 });
  expect(await service.item('5')).toEqual({ id: '5', version: 0, deletedAt: '2026-01-31T12:00:00.000Z' });
});

test('an id that nobody has is refused, and stays free', async () => {
  await expect(change(6, { ...LEAST, version: 2 })).rejects.toMatchObject({ error: 40402 });
  expect(await service.item('6')).toBeUndefined();
});

test.each([1, undefined])('a change to version %s is refused', async (version) => {
  await expect(change(7, { ...LEAST, version })).rejects.toMatchObject({ error: 40002 });
});

test.each([idOf(8), '%zz', '7.0'])(
  'a path with %s, which is not the id of the body, is refused',
  async (id) => {
    const event = operationEvent('PUT', `/plants/${id}`);
    const body = bodyOf(7, { ...LEAST, version: 2 });
    expect(await service.handler(plantEvent(service.token, body, event))).toBeRefused(40002);
  },
);
