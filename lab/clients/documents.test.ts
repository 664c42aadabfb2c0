import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RECIPES } from './recipes.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(path.join(ROOT, 'docs/clients.md'), 'utf8');
const PROGRAMS = globSync('lab/clients/*/*.{ts,py,go,java}', { cwd: ROOT });
const CLIENTS = RECIPES.filter(({ run }) => run !== undefined);

test('docs/clients.md links to all eight programs, by the names of their files', () => {
  const links = DOCUMENT.matchAll(/\[([^\]]+)\]\(\.\.\/(lab\/clients\/[^)#]+)\)/g);
  const linked = [...links].map(([, name, file]) => [name, file]);
  expect(linked.sort()).toEqual(PROGRAMS.map((file) => [path.basename(file), file]).sort());
  expect(PROGRAMS.length).toBe(8);
});

test('the programs are those that npm run lab -- clients runs: it copies the folder of each client', () => {
  const folders = PROGRAMS.map((file) => path.basename(path.dirname(file)));
  expect([...new Set(folders)].sort()).toEqual(CLIENTS.map(({ name }) => name).sort());
});

test.each(RECIPES)('docs/clients.md names the tool of $name with its version', ({ generator }) => {
  expect(DOCUMENT).toContain(generator);
});

test.each(CLIENTS)('$name is generated with the versions that are named', ({ generator, build }) => {
  const versions = generator.match(/\d+\.\d+\.\d+/g) ?? [];
  expect(versions).not.toEqual([]);
  expect(versions.filter((version) => !build.includes(version))).toEqual([]);
});
