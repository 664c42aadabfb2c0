import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RECIPES } from '../../lab/clients/recipes.ts';

const CLIENTS = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
const PROGRAMS = globSync('*/*.{ts,py,go,java}', { cwd: import.meta.dirname });

test.each(PROGRAMS)('docs/clients.md shows %s as it is run', (file) => {
  expect(CLIENTS).toContain(readFileSync(new URL(file, import.meta.url), 'utf8'));
});

test.each(RECIPES)('docs/clients.md lists the generator of $name with its version', ({ generator }) => {
  expect(CLIENTS).toContain(`| ${generator} |`);
});

test('all eight files of the clients are found', () => {
  expect(PROGRAMS.length).toBe(8);
});
