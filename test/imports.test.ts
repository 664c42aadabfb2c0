import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/**
 * The folders, each with those that it may import besides `cli`. Biome finds circles inside a folder and undeclared packages, and the
 * compiler what a browser lacks in the client.
 */
const FOLDERS: Record<string, readonly string[]> = {
  cli: [],
  // What judges responses knows only the contract, and not the client: it may need what the client rejects or hides. `verify` sends
  // broken JSON and wrong tokens. Only `import` uses plant-store-client. Only `contract/send-http.ts` sends raw requests.
  contract: [],
  lambda: [],
  client: [],
  infra: ['lambda'],
  local: ['contract', 'lambda', 'infra'],
  // Knows no plant: what it checks during a deployment is passed to it.
  operate: ['contract', 'lambda', 'infra'],
  'commands/verify': ['contract', 'operate'],
  commands: ['operate', 'commands/verify', 'client', 'contract', 'lambda', 'infra', 'local'],
};

/** Tests beside their code, and what only they use; they may import anything. */
const OF_TESTS = /\.test\.ts$|^client\/test\/|\/changed-templates\.ts$/;

/** The first that matches: the longer names stand before `commands`. */
const folderOf = (file: string) =>
  Object.keys(FOLDERS).find((folder) => file.startsWith(`${folder}/`)) ?? file;

test('a folder imports only what the table says, which goes one way', () => {
  const root = path.join(import.meta.dirname, '..');
  const ours = globSync(`{${Object.keys(FOLDERS)}}/**/*.{ts,mjs}`, {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  });
  const forbidden = ours
    .filter((file) => !OF_TESTS.test(file))
    .flatMap((file) => {
      const from = folderOf(file);
      // Static or dynamic, for values or for types.
      const imports = readFileSync(path.join(root, file), 'utf8').matchAll(
        /(?:(?:\bfrom |^import )|\bimport(?:\.meta\.resolve)?\()'(\.[^'\n]+)'(?:;$|\))/gm,
      );
      const imported = [...imports].map(([, specifier = '']) => path.join(path.dirname(file), specifier));
      const allowed = [from, 'cli', ...(FOLDERS[from] ?? [])];
      return imported.filter((each) => !allowed.includes(folderOf(each))).map((each) => `${file}: ${each}`);
    });
  expect(forbidden).toEqual([]);
});
