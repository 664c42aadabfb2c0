import { describe, expect, test } from 'vitest';
import { PlantTable } from '../../../lambda/store/plant-table.ts';
import { ok } from '../../support/acts.ts';
import { overScript } from './over-script.ts';

// What is stored, repeated and refused is tested with a real store: by the groups "repeats", "conflicts" and "sizes" of
// contract/cases.yaml, and by create-plant.test.ts. store.test.ts tests faults of the store.

describe('after one acknowledged put the plant is stored, whatever previous item the store returns', () => {
  const create = (Attributes: unknown) =>
    overScript({ PutItem: [ok({ Attributes })] }, async (client, { attempts }) => {
      const { signal } = new AbortController();
      const outcome = await new PlantTable(client, 'Plants').create({ id: 1n, name: 'Fern' }, signal);
      expect(attempts.PutItem).toBe(1);
      return outcome;
    });

  test.each([{ id: { N: '1' }, name: { S: 'Fern' } }, {}, { id: { N: 'one' } }, { id: null }])(
    '%j',
    async (item) => {
      expect(await create(item)).toBe('repeated');
    },
  );

  test.each([7, 'text', [], null])('no item: %j', async (noItem) => {
    expect(await create(noItem)).toMatch(/^(created|repeated)$/);
  });
});
