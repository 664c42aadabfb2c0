import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { PlantTable } from '../../../lambda/store/plant-table.ts';
import { documentClient } from '../../../lambda/store/store.ts';
import { type Act, ok } from '../../support/acts.ts';
import { ScriptedStore } from '../../support/scripted-store.ts';

Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

// What is stored, repeated and refused is tested over a real store: by the groups "repeats", "conflicts" and "sizes" of
// contract/cases.yaml, and by create-plant.test.ts.

/** Creates a plant in a store that gives this answer to the put. */
async function create(act: Act): Promise<{ outcome: string; calls: number }> {
  const stub = await ScriptedStore.start({ script: { PutItem: [act] } });
  const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: stub.endpoint });
  const table = new PlantTable(client, 'Plants');
  try {
    const outcome = await table.create({ id: 1n, name: 'Fern' }, new AbortController().signal);
    return { outcome, calls: stub.attempts.PutItem };
  } finally {
    client.destroy();
    await stub.close();
  }
}

describe('after an acknowledged put the plant is stored', () => {
  test('the plant is new if the store returns no previous item', async () => {
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
  ])('with any previous item it is a repeat: %j', async (Attributes) => {
    expect(await create(ok({ Attributes }))).toEqual({ outcome: 'repeated', calls: 1 });
  });

  test.each([[7], ['text'], [[]], [null]])(
    'attributes that are not an item do not change that: %j',
    async (Attributes) => {
      expect((await create(ok({ Attributes }))).calls).toBe(1);
    },
  );
});

const { signal } = new AbortController();

/** A table whose calls are recorded. @param answer the store's answer to each */
function tableOver(answer: () => object) {
  const calls: { input: PutCommand['input']; options: unknown }[] = [];
  const client = {
    send: async ({ input }: PutCommand, options: unknown) => {
      calls.push({ input, options });
      return answer();
    },
  };
  return { calls, table: new PlantTable(client as unknown as DynamoDBDocumentClient, 'Plants') };
}

test('a plant with a tag is put unless another plant has its id', async () => {
  const { calls, table } = tableOver(() => ({}));
  expect(await table.create({ id: 7n, name: 'Fern', tag: 'shade' }, signal)).toBe('created');
  expect(calls).toEqual([
    {
      input: {
        TableName: 'Plants',
        Item: { id: 7n, name: 'Fern', tag: 'shade' },
        ConditionExpression: 'attribute_not_exists(#id) OR (#name = :name AND #tag = :tag)',
        ExpressionAttributeNames: { '#id': 'id', '#name': 'name', '#tag': 'tag' },
        ExpressionAttributeValues: { ':name': 'Fern', ':tag': 'shade' },
        ReturnValues: 'ALL_OLD',
      },
      options: { abortSignal: signal },
    },
  ]);
});

test('a plant without a tag equals only a plant without a tag', async () => {
  const { calls, table } = tableOver(() => ({}));
  await table.create({ id: 7n, name: 'Fern' }, signal);
  expect(calls[0]?.input).toMatchObject({
    Item: { id: 7n, name: 'Fern' },
    ConditionExpression: 'attribute_not_exists(#id) OR (#name = :name AND attribute_not_exists(#tag))',
    ExpressionAttributeValues: { ':name': 'Fern' },
  });
  expect(calls[0]?.input.Item).not.toHaveProperty('tag');
  expect(calls[0]?.input.ExpressionAttributeValues).not.toHaveProperty(':tag');
});

test('with a previous item, it is a repeat', async () => {
  const { table } = tableOver(() => ({ Attributes: { id: 7n, name: 'Fern' } }));
  expect(await table.create({ id: 7n, name: 'Fern' }, signal)).toBe('repeated');
});

test('a failed condition means another plant under the id, and is not retried', async () => {
  const { calls, table } = tableOver(() => {
    throw new ConditionalCheckFailedException({ message: '', $metadata: { httpStatusCode: 400 } });
  });
  await expect(table.create({ id: 7n, name: 'Fern' }, signal)).rejects.toMatchObject({
    published: { error: 40901 },
  });
  expect(calls).toHaveLength(1);
});

test('any other error is a fault of the store', async () => {
  const { table } = tableOver(() => {
    throw new TypeError('no credentials');
  });
  await expect(table.create({ id: 7n, name: 'Fern' }, signal)).rejects.toMatchObject({
    published: { error: 50001 },
    fault: 'TypeError',
  });
});

// An item holds 409,600 bytes. `id` and its number take 2 + 21, `name` 4, `tag` 3.
test.each([
  ['a name', { name: 'x'.repeat(409_573) }, { name: 'x'.repeat(409_574) }],
  ['a name and a tag', { name: 'x'.repeat(409_569), tag: 'y' }, { name: 'x'.repeat(409_569), tag: 'yy' }],
  ['an empty tag', { name: 'x'.repeat(409_570), tag: '' }, { name: 'x'.repeat(409_571), tag: '' }],
  ['two bytes a character', { name: `é${'x'.repeat(409_571)}` }, { name: `é${'x'.repeat(409_572)}` }],
])('%s may fill an item exactly, and not one byte more', async (_, largest, tooLarge) => {
  const { calls, table } = tableOver(() => ({}));
  expect(await table.create({ id: 7n, ...largest }, signal)).toBe('created');
  await expect(table.create({ id: 7n, ...tooLarge }, signal)).rejects.toMatchObject({
    published: { error: 41301 },
  });
  expect(calls).toHaveLength(1);
});
