import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8');

const DOCUMENT = read('docs/clients.md');
const PROGRAMS = globSync('lab/clients/*/*.{ts,py,go,java}', {
  cwd: path.join(import.meta.dirname, '../..'),
});
const RECIPES = parse(read('lab/clients/recipes.yaml')) as { name: string; generator: string }[];

test.each(PROGRAMS)('docs/clients.md shows %s as it is run', (file) => {
  expect(DOCUMENT).toContain(read(file));
});

test.each(RECIPES)(
  'docs/clients.md or CONTRIBUTING names the tool of $name with its version',
  ({ generator }) => {
    expect(DOCUMENT + read('CONTRIBUTING.md').replace(/\s+/g, ' ')).toContain(generator);
  },
);

test('all eight files of the clients are found', () => {
  expect(PROGRAMS.length).toBe(8);
});
