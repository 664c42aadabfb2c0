import { expect, test } from 'vitest';
import { UsageError } from '../cli/command-line.ts';
import { namesOf } from './copy-names.ts';
import { renamer } from './rename.ts';

const CHOOSE = '; choose a more exact one, such as salesorder in place of order.';
test.each<[string[], string]>([
  [[], '--name is missing: what you store, in one word, such as --name order.'],
  [
    ['purchase-order'],
    '--name purchase-order is not one word of 2 to 20 lower-case letters: use purchaseorder.',
  ],
  [
    ['purchaseOrder'],
    '--name purchaseOrder is not one word of 2 to 20 lower-case letters: use purchaseorder.',
  ],
  [['größe'], '--name größe is not one word of 2 to 20 lower-case letters.'],
  [['box', 'Boxes'], '--plural Boxes is not one word of 2 to 20 lower-case letters: use boxes.'],
  [
    ['series', 'series'],
    'The plural series is the name, too: choose another with --plural, such as --plural serieslist.',
  ],
  [['map'], `Map is a global of JavaScript${CHOOSE}`],
  ...['nonlocal', 'urllib'].map((word): [string[], string] => [
    [word],
    `The program of docs/clients.md uses the name ${word} in another sense${CHOOSE}`,
  ]),
  [['tag'], `tag is a property of NewPlant in contract/openapi.yaml${CHOOSE}`],
])('a copy of the name %j is refused', ([name, plural], problem) => {
  expect(() => namesOf(name, plural)).toThrow(new UsageError(problem));
});

test('a name has the plural that is given, or takes an s', () => {
  expect(namesOf('category')).toEqual({ name: 'category', plural: 'categorys' });
  expect(namesOf('category', 'categories')).toEqual({ name: 'category', plural: 'categories' });
});

test('a name that is also an example of ours is not renamed again', () => {
  const rename = renamer('flower', 'flowers', ['Rose', 'Tulip', 'Lily']);
  expect(
    rename('POST /plants, createPlantStore, PLANTS_TABLE, a plant: {"name":"Star moss","tag":"flower"}'),
  ).toBe('POST /flowers, createFlowerStore, FLOWERS_TABLE, a flower: {"name":"Tulip","tag":"red"}');
});

test('the article fits a name with a vowel, also after a line break in code and before a link', () => {
  const rename = renamer('order', 'orders', ['Desk 4', 'Desk 5', 'Desk']);
  expect(rename('A plant, `\\nA plant has`, a {@link Plant}, #a-plant, a user')).toBe(
    'An order, `\\nAn order has`, an {@link Order}, #an-order, a user',
  );
});
