import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RECIPES } from './recipes.ts';

const CLIENTS = readFileSync(new URL('../../../docs/clients.md', import.meta.url), 'utf8');
const PROGRAMS = globSync('*/*.{ts,py,go,java}', { cwd: import.meta.dirname });

test.each(PROGRAMS)('docs/clients.md shows %s as it is run', (file) => {
  expect(CLIENTS).toContain(readFileSync(new URL(file, import.meta.url), 'utf8'));
});

test.each(RECIPES)(
  'docs/clients.md has a run of $name, with the version of its generator',
  ({ generator }) => {
    expect(CLIENTS).toContain(`| ${generator} |`);
  },
);

test('there is a program for each client', () => {
  expect(PROGRAMS.length).toBe(8);
});
