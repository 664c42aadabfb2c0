import { expect, test } from 'vitest';
import { LEAST, OTHER } from '../../contract/examples.ts';
import { wrongItems } from './contract-runner.ts';
import type { StoredItem } from './stored-item.ts';

test('the cases are named whose item is missing, another one, or there although it must not be', () => {
  const plant = LEAST;
  const stores = { name: 'stores', expected: { status: 200, plant, stored: '7' } } as const;
  const refused = { name: 'refused', expected: { status: 400, error: 40901, absent: ['7'] } } as const;
  const wrong = (...items: StoredItem[]) =>
    wrongItems([stores, refused], new Map(items.map((item) => [item.id, item])));
  expect(wrong({ id: '7', ...plant })).toEqual(['refused']);
  expect(wrong({ id: '7', ...OTHER })).toEqual(['stores', 'refused']);
  expect(wrong()).toEqual(['stores']);
});
