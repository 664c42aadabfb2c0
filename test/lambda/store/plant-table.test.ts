import { describe, expect, test } from 'vitest';
import { PlantTable } from '../../../lambda/store/plant-table.ts';
import { storeClient } from '../../../lambda/store/store.ts';
import { type Act, ok } from '../../support/acts.ts';
import { ScriptedStore } from '../../support/scripted-store.ts';

Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

// What is stored, repeated and refused is tested over a real store by the groups "repeats", "conflicts" and "sizes" of
// contract/cases.yaml and by create-plant.test.ts.

/** Stores a fern in a store that answers the put as given. */
async function create(act: Act): Promise<{ outcome: string; calls: number }> {
  const stub = await ScriptedStore.start({ script: { PutItem: [act] } });
  const client = storeClient({ AWS_ENDPOINT_URL_DYNAMODB: stub.endpoint });
  const table = new PlantTable(client, 'Plants');
  try {
    const outcome = await table.create({ id: 1n, name: 'Fern' }, new AbortController().signal);
    return { outcome, calls: stub.attempts.PutItem };
  } finally {
    client.destroy();
    await stub.close();
  }
}

describe('an acknowledged put is a stored plant', () => {
  test('the plant is new when the store names no item before it', async () => {
    expect(await create(ok({}))).toEqual({ outcome: 'created', calls: 1 });
  });

  test.each([
    { id: { N: '1' }, name: { S: 'Fern' } },
    {},
    { id: { X: '1' } },
    { id: { N: 'one' } },
    { id: {} },
    { id: null },
    { id: { N: `1${'0'.repeat(200)}` } },
    { id: { B: 7 } },
    { id: 'text' },
  ])('whatever the attributes before it look like: %j', async (Attributes) => {
    expect(await create(ok({ Attributes }))).toEqual({ outcome: 'repeated', calls: 1 });
  });

  test.each([[7], ['text'], [[]], [null]])(
    'attributes that are no item do not change that: %j',
    async (Attributes) => {
      expect((await create(ok({ Attributes }))).calls).toBe(1);
    },
  );
});
