import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** The layers, each with those that it may import besides `cli`. Biome finds circles and undeclared packages. */
const LAYERS: Record<string, readonly string[]> = {
  cli: [],
  // What judges responses knows only the contract, and not the client: it may need what the client rejects or hides. `verify` sends
  // broken JSON and wrong tokens. Only `import` uses plant-store-client. Only `commands/shared/send-http.ts` sends raw requests.
  contract: [],
  // plant.ts lists the properties, whose types need errors.ts and limits.ts, and JSON inside an object.
  'lambda/*.ts': ['lambda/property-types'],
  'lambda/property-types': ['lambda/*.ts', 'lambda/request'],
  'lambda/request': ['lambda/*.ts', 'lambda/property-types'],
  'lambda/store': ['lambda/*.ts'],
  'lambda/response': ['lambda/*.ts', 'lambda/request'],
  'lambda/middleware.ts': ['lambda/*.ts', 'lambda/request', 'lambda/response'],
  'lambda/*-plant.ts': [
    'lambda/*.ts',
    'lambda/middleware.ts',
    'lambda/request',
    'lambda/response',
    'lambda/store',
  ],
  'lambda/operations.ts': [
    'lambda/*.ts',
    'lambda/middleware.ts',
    'lambda/*-plant.ts',
    'lambda/request',
    'lambda/store',
  ],
  'lambda/handler.ts': ['lambda/*.ts', 'lambda/middleware.ts', 'lambda/operations.ts', 'lambda/store'],
  infra: ['lambda/*.ts', 'lambda/response'],
  local: [
    'contract',
    'lambda/*.ts',
    'lambda/request',
    'lambda/store',
    'lambda/middleware.ts',
    'lambda/handler.ts',
    'infra',
  ],
  'commands/shared': ['contract', 'lambda/*.ts', 'lambda/store', 'infra', 'local'],
  client: [],
  'commands/verify': ['contract', 'commands/shared'],
  commands: [
    'commands/shared',
    'client',
    'contract',
    'lambda/*.ts',
    'lambda/property-types',
    'lambda/request',
    'lambda/store',
    'infra',
    'local',
    'commands/verify',
  ],
  // What a command is tested with may import anything.
  test: ['*'],
};

/** Tests beside their code, and what only they use; they may import anything. */
const OF_TESTS = /\.test\.ts$|^client\/test\/|\/changed-templates\.ts$/;

interface Import {
  readonly file: string;
  readonly specifier: string;
}

const ROOT = path.join(import.meta.dirname, '..');
const FOLDERS = [...new Set(Object.keys(LAYERS).map((layer) => layer.split('/')[0]))];
const FILES = globSync(`{${FOLDERS}}/**/*.{ts,mjs}`, {
  cwd: ROOT,
  exclude: ['**/node_modules', '**/dist'],
}).map((file) => file.replaceAll(path.sep, '/'));

/** Every import, static or dynamic, for values or for types. */
const IMPORTS: Import[] = FILES.flatMap((file) => {
  const found = readFileSync(path.join(ROOT, file), 'utf8').matchAll(
    /(?:(?:\bfrom |^import )|\bimport(?:\.meta\.resolve)?\()'([^'\n]+)'(?:;$|\))/gm,
  );
  return [...found].map(([, specifier = '']) => ({ file, specifier }));
});

/** The imports of our own files, each with the imported file. */
const OWN = IMPORTS.filter(({ specifier }) => specifier.startsWith('.')).map(({ file, specifier }) => ({
  file,
  imported: path.posix.join(path.posix.dirname(file), specifier),
}));

/** The layer of a file: the longest entry of the table that matches. */
function layerOf(file: string): string {
  if (OF_TESTS.test(file)) return 'test';
  const fits = Object.keys(LAYERS).filter(
    (layer) => path.matchesGlob(file, layer) || file.startsWith(`${layer}/`),
  );
  const exact = fits.find((layer) => layer === file);
  return exact ?? fits.sort((a, b) => b.length - a.length)[0] ?? 'no layer';
}

test('imports between layers are those of the table, which go one way', () => {
  const forbidden = OWN.filter(({ file, imported }) => {
    const [from, to] = [layerOf(file), layerOf(imported)];
    const allowed = LAYERS[from] ?? [];
    return from !== to && to !== 'cli' && !allowed.includes(to) && !allowed.includes('*');
  });
  expect(forbidden.map(({ file, imported }) => `${file} imports ${imported}`)).toEqual([]);
});

test('the client uses nothing that a browser lacks', () => {
  const ofClient = IMPORTS.filter(({ file }) => file.startsWith('client/src/'));
  expect(ofClient.filter(({ specifier }) => !specifier.startsWith('./'))).toEqual([]);
});
