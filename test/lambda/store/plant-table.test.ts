import type { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { PlantTable } from '../../../lambda/store/plant-table.ts';
import { ok } from '../../support/acts.ts';
import { overScript } from './over-script.ts';

// What is stored, repeated and refused is tested with a real store: by the groups "repeats", "conflicts" and "sizes" of
// contract/cases.yaml, and by create-plant.test.ts. store.test.ts tests faults of the store.

const { signal } = new AbortController();

describe('after an acknowledged put the plant is stored, whatever previous item the store returns', () => {
  const EITHER = 'created or repeated';
  test.each<[string, unknown]>([
    ['created', undefined],
    ['repeated', { id: { N: '1' }, name: { S: 'Fern' } }],
    ['repeated', {}],
    ['repeated', { id: { X: '1' } }],
    ['repeated', { id: { N: 'one' } }],
    ['repeated', { id: {} }],
    ['repeated', { id: null }],
    ['repeated', { id: { N: `1${'0'.repeat(200)}` } }],
    ['repeated', { id: { B: 7 } }],
    ['repeated', { id: 'text' }],
    // Not items.
    [EITHER, 7],
    [EITHER, 'text'],
    [EITHER, []],
    [EITHER, null],
  ])('%s: %j', async (outcome, Attributes) => {
    await overScript({ PutItem: [ok({ Attributes })] }, async (client, { attempts }) => {
      const created = await new PlantTable(client, 'Plants').create({ id: 1n, name: 'Fern' }, signal);
      expect(outcome.split(' or ')).toContain(created);
      expect(attempts.PutItem).toBe(1);
    });
  });
});

/** A table whose calls succeed and are recorded. */
function recordingTable() {
  const calls: unknown[] = [];
  const send = async ({ input }: PutCommand, options: unknown) => {
    calls.push([input, options]);
    return {};
  };
  return { calls, table: new PlantTable({ send } as unknown as DynamoDBDocumentClient, 'Plants') };
}

test.each([
  [
    'with a tag',
    { id: 7n, name: 'Fern', tag: 'shade' },
    'attribute_not_exists(#id) OR (#name = :name AND #tag = :tag)',
    { ':name': 'Fern', ':tag': 'shade' },
  ],
  [
    'without a tag',
    { id: 7n, name: 'Fern' },
    'attribute_not_exists(#id) OR (#name = :name AND attribute_not_exists(#tag))',
    { ':name': 'Fern' },
  ],
])('a plant %s is put unless a different one has its id', async (_, plant, condition, values) => {
  const { calls, table } = recordingTable();
  expect(await table.create(plant, signal)).toBe('created');
  const put = {
    TableName: 'Plants',
    Item: plant,
    ConditionExpression: condition,
    ExpressionAttributeNames: { '#id': 'id', '#name': 'name', '#tag': 'tag' },
    ExpressionAttributeValues: values,
    ReturnValues: 'ALL_OLD',
  };
  expect(calls).toStrictEqual([[put, { abortSignal: signal }]]);
});

// An item holds 409,600 bytes. `id` and its number take 2 + 21, `name` 4, `tag` 3.
test.each([
  ['a name', { name: 'x'.repeat(409_573) }],
  ['a name and a tag', { name: 'x'.repeat(409_569), tag: 'y' }],
  ['a name and an empty tag', { name: 'x'.repeat(409_570), tag: '' }],
  ['a name with a character of two bytes', { name: `é${'x'.repeat(409_571)}` }],
])('%s may fill an item exactly, and not one byte more', async (_, plant) => {
  const { calls, table } = recordingTable();
  expect(await table.create({ id: 7n, ...plant }, signal)).toBe('created');
  const tooLarge = table.create({ id: 7n, ...plant, name: `${plant.name}x` }, signal);
  await expect(tooLarge).rejects.toMatchObject({ published: { error: 41301 } });
  expect(calls).toHaveLength(1);
});
