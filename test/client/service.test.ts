import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlantStore, type PlantStore, type PlantStoreOptions } from '../../client/src/index.ts';
import { type LocalProcess, startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { storedItem } from '../support/test-service.ts';

describe('the client and the service', () => {
  let server: LocalProcess;
  let table: DynamoDBClient;
  let plants: PlantStore;
  beforeAll(async () => {
    server = await startLocalProcess(temporaryFolder());
    const { endpoint, credentials } = server;
    table = new DynamoDBClient({ endpoint, region: 'local', credentials });
    plants = client();
  });
  afterAll(async () => {
    table?.destroy();
    await server?.end('SIGTERM');
  });

  function client(options: Partial<PlantStoreOptions> = {}): PlantStore {
    return createPlantStore({ baseUrl: server.url, token: server.token, ...options });
  }

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
    expect(await storedItem(table, digits)).toEqual({ id: digits, name: 'Fern', tag: 'shade' });
  });

  test('names and tags are returned unchanged', async () => {
    const name = ' "Ф\u0000é\u0301🌿\\u0041\u2028';
    expect(await plants.createPlant({ id: 1001n, name })).toEqual({ name });
    expect(await plants.createPlant({ id: 1002n, name: '', tag: '' })).toEqual({ name: '', tag: '' });
    expect(await storedItem(table, '1001')).toEqual({ id: '1001', name });
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
    expect(await storedItem(table, '3001')).toBeUndefined();
  });
});
