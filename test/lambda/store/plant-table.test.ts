import { afterEach, describe, expect, test, vi } from 'vitest';
import { LEAST, type Plant, TEXT, WHOLE } from '../../../contract/examples.ts';
import type { NewPlant } from '../../../lambda/plant.ts';
import { PlantTable } from '../../../lambda/store/plant-table.ts';
import { overScript } from '../../support/function-under-test.ts';
import { type Behavior, ok, taken } from '../../support/store-behaviors.ts';
import { bytesLeft, itemOf } from '../../support/stored-item.ts';

// What is stored, repeated and refused is tested with a real store: by the groups "repeats", "conflicts" and "sizes" of
// contract/cases.yaml, and by create-plant.test.ts. store.test.ts tests faults of the store.

afterEach(() => vi.restoreAllMocks());

const PLANT = { id: 9007199254740993n, ...LEAST } as NewPlant;
const ITEM = itemOf(String(PLANT.id));

/** Creates the plant. @returns the outcome or the error, and the number of attempts */
const create = (...behaviors: Behavior[]) =>
  overScript({ PutItem: behaviors }, async (client, { attempts }) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const plants = new PlantTable(client, 'Plants');
    const outcome = await plants
      .create(PLANT, new AbortController().signal)
      .catch(({ published, fault }) => `${published.error} ${fault}`);
    return [outcome, attempts.PutItem];
  });

describe('a put whose id is taken', () => {
  test.each<[string, object, string]>([
    ['the same plant', ITEM, 'repeated'],
    ['an attribute of an unknown type, of a newer version', { ...ITEM, later: { X: 7 } }, 'repeated'],
    ['a property of another type', { ...ITEM, [TEXT]: { N: '7' } }, '40901 undefined'],
    ['no required property, of an older version', { id: ITEM.id }, '40901 undefined'],
    ...['9007199254740993.0', '9007199254740993E0', '9.007199254740993E+15', '09007199254740993.00'].map(
      (number): [string, object, string] => [`the id ${number}`, itemOf(number), 'repeated'],
    ),
  ])('an item with %s', async (_, Item, outcome) => {
    expect(await create(taken({ Item }))).toEqual([outcome, 1]);
  });

  test.each([
    {},
    { Item: {} },
    { Item: { [TEXT]: ITEM[TEXT] } },
    { Item: { ...ITEM, id: { S: String(PLANT.id) } } },
    // The same as a double.
    { Item: itemOf('9007199254740992') },
    { Item: itemOf('9007199254740993.5') },
    { Item: itemOf('soon') },
  ])('a refusal with %j is retried, and may be this plant', async (more) => {
    expect(await create(taken(more))).toEqual(['50401 damaged response', 3]);
    expect(await create(taken(more), ok({}))).toEqual(['created', 2]);
    expect(await create(taken(more), taken({ Item: ITEM }))).toEqual(['repeated', 2]);
  });
});

test.each<[status: number, error: string]>([
  [500, '50401 ConditionalCheckFailedException'],
  [429, '42901 ConditionalCheckFailedException'],
  [403, '50001 ConditionalCheckFailedException'],
])('a taken id with status %i is none', async (status, error) => {
  const behavior = { ...taken({ Item: itemOf('1') }), status };
  expect(await create(behavior, behavior, behavior)).toEqual([error, 3]);
});

describe('a plant that is larger than an item is refused before the call', () => {
  const filled = (plant: Plant, character: string, more: number) => {
    const bytes = bytesLeft(plant) + more;
    const size = Buffer.byteLength(character);
    return { ...plant, [TEXT]: 'n'.repeat(bytes % size) + character.repeat(bytes / size) };
  };
  test.each<[string, Plant, string]>([
    ['an emoji, of four bytes', LEAST, '🌿'],
    ['all properties', WHOLE, 'x'],
  ])('%s: with a byte more', async (_, plant, character) => {
    const create = (more: number) =>
      overScript({ PutItem: [ok({})] }, (client) =>
        new PlantTable(client, 'Plants').create(
          { id: 1n, ...filled(plant, character, more) } as unknown as NewPlant,
          new AbortController().signal,
        ),
      ).catch(({ published }) => published.error);
    expect([await create(0), await create(1)]).toEqual(['created', 41301]);
  });
});
