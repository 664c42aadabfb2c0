import { afterAll, describe, expect, test } from 'vitest';
import { createPlantStore, type PlantStoreOptions } from '../../client/src/index.ts';
import { startLocalProcess } from '../support/local-process.ts';

describe('the client and the service', async () => {
  const server = await startLocalProcess();
  afterAll(() => server.end());
  const client = (options: Partial<PlantStoreOptions> = {}) =>
    createPlantStore({ baseUrl: server.url, token: server.token, ...options });
  const plants = client();

  test.each([
    [9223372036854775807n, '9223372036854775807'],
    [-9223372036854775808n, '-9223372036854775808'],
    [9007199254740993n, '9007199254740993'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [-0, '0'],
  ])('%o is stored exactly', async (id, digits) => {
    expect(await plants.createPlant({ id, name: 'Fern', tag: 'shade' })).toEqual({
      name: 'Fern',
      tag: 'shade',
    });
    expect(await server.item(digits)).toEqual({ id: digits, name: 'Fern', tag: 'shade' });
  });

  test('names and tags are returned unchanged', async () => {
    const name = ' "Ф\u0000é\u0301🌿\\u0041\u2028';
    expect(await plants.createPlant({ id: 1001n, name })).toEqual({ name });
    expect(await plants.createPlant({ id: 1002n, name: '', tag: '' })).toEqual({ name: '', tag: '' });
    expect(await server.item('1001')).toEqual({ id: '1001', name });
  });

  test('the same plant gets the same answer again; a different one is a conflict', async () => {
    const plant = { id: 2001n, name: 'Fern' };
    await plants.createPlant(plant);
    expect(await plants.createPlant(plant)).toEqual({ name: 'Fern' });
    await expect(plants.createPlant({ ...plant, tag: 'shade' })).rejects.toMatchObject({
      name: 'PlantStoreError',
      error: 40901,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      mayBeStored: false,
    });
  });

  test('a refused request has its error number', async () => {
    const plant = { id: 3001n, name: 'Fern' };
    const unknown = `plants_${'0'.repeat(49)}`;
    await expect(client({ token: unknown }).createPlant(plant)).rejects.toMatchObject({ error: 40102 });
    const elsewhere = client({ baseUrl: `${server.url}/elsewhere` });
    await expect(elsewhere.createPlant(plant)).rejects.toMatchObject({ error: 40401 });
    const large = { ...plant, name: 'x'.repeat(500_000) };
    await expect(plants.createPlant(large)).rejects.toMatchObject({ error: 41301 });
    expect(await server.item('3001')).toBeUndefined();
  });
});
