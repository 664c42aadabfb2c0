import { describe, expect, test, vi } from 'vitest';
import { LEAST } from '../../../contract/examples.ts';
import { IS_NUMBER, idOf } from '../../../contract/key.ts';
import type { NewPlant } from '../../../lambda/plant.ts';
import { createIn } from '../../../lambda/store/create.ts';
import { overScript } from '../../support/function-under-test.ts';
import { type Behavior, exception, lose, ok, taken } from '../../support/store-behaviors.ts';
import { itemOf } from '../../support/stored-item.ts';

// What is stored, repeated and refused is tested with a real store: by the groups "repeats", "conflicts" and "sizes" of
// contract/cases/create-plant.yaml, and by create-plant.test.ts. store.test.ts tests faults of the store.

const PLANT = { id: IS_NUMBER ? 9007199254740993n : idOf(7), ...LEAST };
const ITEM = itemOf(String(PLANT.id));
const [NAME = ''] = Object.keys(LEAST);

/** Creates a plant. @returns the outcome or the error, and the number of attempts */
const create = (behaviors: Behavior[], plant: object = PLANT) =>
  overScript({ PutItem: behaviors }, async (client, { attempts }) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const outcome = await createIn({ client, name: 'Plants' })(
      plant as NewPlant,
      new AbortController(),
    ).catch(({ published, fault }) => `${published.error} ${fault}`);
    return [outcome, attempts.PutItem];
  });

const OTHERWISE: [string, object, string] = [
  'its id written otherwise',
  itemOf('9.007199254740993E+15'),
  'repeated',
];

describe('a put whose id is taken', () => {
  test.each<[string, object, string]>([
    ['an attribute of an unknown type, of a newer version', { ...ITEM, later: { X: 7 } }, 'repeated'],
    ...(IS_NUMBER ? [OTHERWISE] : []),
    ['a property of another type', { ...ITEM, [NAME]: { NULL: true } }, '40901 undefined'],
    ['no required property, of an older version', { id: ITEM.id }, '40901 undefined'],
  ])('by an item with %s', async (_, Item, outcome) => {
    expect(await create([taken({ Item })])).toEqual([outcome, 1]);
  });

  test.each([
    {},
    { Item: { [NAME]: ITEM[NAME] } },
    { Item: { ...ITEM, id: IS_NUMBER ? { S: String(PLANT.id) } : { N: '7' } } },
    // The same as a double.
    { Item: itemOf('9007199254740992') },
    { Item: itemOf('soon') },
  ])('a refusal with %j is retried, and may be this plant', async (more) => {
    expect(await create([taken(more)])).toEqual(['50401 damaged response', 3]);
    expect(await create([taken(more), ok({})])).toEqual(['created', 2]);
    expect(await create([taken(more), taken({ Item: ITEM })])).toEqual(['created-or-repeated', 2]);
  });
});

test('a put whose response was lost may have stored the plant that the next one finds', async () => {
  const found = taken({ Item: ITEM });
  expect(await create([lose, found])).toEqual(['created-or-repeated', 2]);
  // A throttled put has stored nothing.
  expect(await create([exception('ThrottlingException'), found])).toEqual(['repeated', 2]);
  expect(await create([lose, exception('ThrottlingException'), found])).toEqual(['created-or-repeated', 3]);
  expect(await create([lose, taken({ Item: { ...ITEM, [NAME]: { NULL: true } } })])).toEqual([
    '40901 undefined',
    2,
  ]);
});

test.each<[status: number, error: string]>([
  [500, '50401 ConditionalCheckFailedException'],
  [429, '42901 ConditionalCheckFailedException'],
  [403, '50001 ConditionalCheckFailedException'],
])('a refusal with status %i does not say that the id is taken', async (status, error) => {
  const behavior = { ...taken({ Item: itemOf('1') }), status };
  expect(await create([behavior])).toEqual([error, 3]);
});

test('a plant that is larger than an item by a byte is refused before the call', async () => {
  // Names count too; the id takes 2 bytes and, if it is a number, 12. The tests of property-types/ have the bytes of each type.
  const id = IS_NUMBER ? 1n : idOf(1);
  const left = 409_600 - 2 - (typeof id === 'string' ? id.length : 12) - 'x'.length;
  const withText = (bytes: number) => ({ id, x: 'x'.repeat(bytes) });
  expect(await create([ok({})], withText(left))).toEqual(['created', 1]);
  expect(await create([ok({})], withText(left + 1))).toEqual(['41301 undefined', 0]);
});
