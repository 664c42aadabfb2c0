import { describe, expect, test } from 'vitest';
import { LEAST, type Plant, TEXT, WHOLE } from '../../../contract/examples.ts';
import type { NewPlant } from '../../../lambda/plant.ts';
import { PlantTable } from '../../../lambda/store/plant-table.ts';
import { ok } from '../../support/acts.ts';
import { bytesLeft, itemOf } from '../../support/stored-item.ts';
import { overScript } from './over-script.ts';

// What is stored, repeated and refused is tested with a real store: by the groups "repeats", "conflicts" and "sizes" of
// contract/cases.yaml, and by create-plant.test.ts. store.test.ts tests faults of the store.

const PLANT = { id: 1n, ...LEAST } as NewPlant;

describe('after one acknowledged put the plant is stored, whatever previous item the store returns', () => {
  const create = (Attributes: unknown) =>
    overScript({ PutItem: [ok({ Attributes })] }, async (client, { attempts }) => {
      const { signal } = new AbortController();
      const outcome = await new PlantTable(client, 'Plants').create(PLANT, signal);
      expect(attempts.PutItem).toBe(1);
      return outcome;
    });

  test.each([itemOf('1'), {}, { id: { N: 'one' } }, { id: null }])('%j', async (item) => {
    expect(await create(item)).toBe('repeated');
  });

  test.each([7, 'text', [], null])('no item: %j', async (noItem) => {
    expect(await create(noItem)).toMatch(/^(created|repeated)$/);
  });
});

describe('a plant that is larger than an item is refused before the call', () => {
  const filled = (plant: Plant, character: string, more: number) => {
    const bytes = bytesLeft(plant) + more;
    const size = Buffer.byteLength(character);
    return { ...plant, [TEXT]: 'n'.repeat(bytes % size) + character.repeat(bytes / size) };
  };
  test.each<[string, Plant, string]>([
    ['what is required, in ASCII', LEAST, 'x'],
    ['three-byte characters', LEAST, '羊'],
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
