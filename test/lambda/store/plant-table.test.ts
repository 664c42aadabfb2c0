import { describe, expect, test } from 'vitest';
import { LEAST } from '../../../contract/examples.ts';
import type { NewPlant } from '../../../lambda/plant.ts';
import { PlantTable } from '../../../lambda/store/plant-table.ts';
import { ok } from '../../support/acts.ts';
import { itemOf } from '../../support/stored-item.ts';
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
  // Of 409,600 bytes, the id takes 2 and 12, the words "name" and "tag" 4 and 3.
  test.each([
    ['a name', { name: 'n'.repeat(409_582) }, 'created'],
    ['a name with a byte more', { name: 'n'.repeat(409_583) }, 41301],
    ['three-byte characters', { name: `n${'羊'.repeat(136_527)}` }, 'created'],
    ['three-byte characters with a byte more', { name: `nn${'羊'.repeat(136_527)}` }, 41301],
    ['a name and a tag', { name: 'abcd', tag: 't'.repeat(409_575) }, 'created'],
    ['a name and a tag with a byte more', { name: 'abcde', tag: 't'.repeat(409_575) }, 41301],
    ['an empty tag', { name: 'n'.repeat(409_580), tag: '' }, 41301],
    ['an emoji, of four bytes', { name: `nnn${'🌿'.repeat(102_395)}` }, 41301],
  ])('%s', async (_, plant, expected) => {
    const { signal } = new AbortController();
    const outcome = await overScript({ PutItem: [ok({})] }, (client) =>
      new PlantTable(client, 'Plants').create({ id: 1n, ...plant }, signal),
    ).catch(({ published }) => published.error);
    expect(outcome).toBe(expected);
  });
});
