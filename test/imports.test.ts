import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read } from './support/project.ts';

/** The folders, each with those that it may import. Biome finds undeclared packages, and the compiler what a browser lacks in the client. */
const FOLDERS: Record<string, readonly string[]> = {
  cli: [],
  // What judges responses knows only the contract, and not the client: it may need what the client rejects or hides. `verify` sends
  // broken JSON and wrong tokens. Only `import` uses the client. Only `contract/send-http.ts` sends raw requests.
  contract: ['cli'],
  checks: ['cli', 'contract'],
  lambda: [],
  client: [],
  infra: ['cli', 'lambda'],
  local: ['cli', 'contract', 'lambda', 'infra'],
  operate: ['cli', 'contract', 'checks', 'lambda', 'infra'],
  commands: ['cli', 'contract', 'checks', 'operate', 'client', 'lambda', 'infra', 'local'],
};

/** Tests beside their code, and what only they use; they may import anything. */
const OF_TESTS = /\.test\.ts$|^client\/test\//;

const folderOf = (file: string) =>
  Object.keys(FOLDERS).find((folder) => file.startsWith(`${folder}/`)) ?? file;

const OURS = globSync(`{${Object.keys(FOLDERS)}}/**/*.{ts,mjs}`, {
  cwd: ROOT,
  exclude: ['**/node_modules', '**/dist'],
}).filter((file) => !OF_TESTS.test(file));

/** The files that a file imports: statically or dynamically, for values or for types. */
function importsOf(file: string): string[] {
  const imports = read(file).matchAll(
    /(?:(?:\bfrom |^import )|\bimport(?:\.meta\.resolve)?\()'(\.[^'\n]+)'(?:;$|\))/gm,
  );
  return [...imports].map(([, specifier = '']) => path.join(path.dirname(file), specifier));
}

test('a folder imports only what the table says, which goes one way: each folder stands below those that it imports', () => {
  const names = Object.keys(FOLDERS);
  for (const [n, name] of names.entries())
    expect(names.slice(0, n), name).toEqual(expect.arrayContaining([...(FOLDERS[name] ?? [])]));
  const forbidden = OURS.flatMap((file) => {
    const from = folderOf(file);
    const allowed = [from, ...(FOLDERS[from] ?? [])];
    return importsOf(file)
      .filter((each) => !allowed.includes(folderOf(each)))
      .map((each) => `${file}: ${each}`);
  });
  expect(forbidden).toEqual([]);
});

test('no modules import each other, not even types', () => {
  const rest = new Map(OURS.map((file) => [file, importsOf(file)]));
  for (let before = -1; before !== rest.size; ) {
    before = rest.size;
    for (const [file, imported] of rest) if (!imported.some((each) => rest.has(each))) rest.delete(file);
  }
  expect([...rest.keys()]).toEqual([]);
});

// What the client may import, the compiler checks.
const DESCRIBED = Object.entries(FOLDERS).filter(([folder]) => folder !== 'client');
test.each(DESCRIBED)('%s/README.md says what the folder may import', (folder, allowed) => {
  const names = allowed.map((each) => `\`${each}/\``);
  const readme = read(`${folder}/README.md`);
  expect(readme).toContain(`It may import: ${names.join(', ') || 'no other folder'}.`);
});
