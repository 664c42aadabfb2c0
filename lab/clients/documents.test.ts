import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RECIPES } from './recipes.ts';

test.each(RECIPES)('docs/clients.md names the tool of $name with the version that it runs', (recipe) => {
  const { generator, build } = recipe;
  expect(readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')).toContain(generator);
  if (recipe.run === undefined) return;
  const versions = generator.match(/\d+\.\d+\.\d+/g) ?? [];
  expect(versions).not.toEqual([]);
  expect(versions.filter((version) => !build.includes(version))).toEqual([]);
});
