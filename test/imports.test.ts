import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';

/**
 * The rooms, each with those that it may import besides `terminal`. CI proves that the rooms up to `test` need none of `client`,
 * `tools` and `lab`: they run in a copy without these.
 */
const ROOMS: Record<string, readonly string[]> = {
  terminal: [],
  // What judges responses knows only the contract, and not the client: it may need what the client rejects or hides. `verify` sends
  // broken JSON and wrong tokens. Only `import` uses plant-store-client. Only `operate/send-http.ts` sends raw requests.
  contract: [],
  'lambda/*.ts': [],
  'lambda/request': ['lambda/*.ts'],
  'lambda/store': ['lambda/*.ts'],
  'lambda/response': ['lambda/*.ts', 'lambda/request'],
  'lambda/envelope.ts': ['lambda/*.ts', 'lambda/request', 'lambda/response'],
  'lambda/*-plant.ts': ['lambda/*.ts', 'lambda/envelope.ts', 'lambda/request', 'lambda/response'],
  'lambda/operations.ts': ['lambda/*.ts', 'lambda/envelope.ts', 'lambda/*-plant.ts', 'lambda/store'],
  'lambda/handler.ts': ['lambda/*.ts', 'lambda/envelope.ts', 'lambda/operations.ts', 'lambda/store'],
  infra: ['lambda/*.ts', 'lambda/*-plant.ts', 'lambda/store', 'lambda/response'],
  local: [
    'contract',
    'lambda/*.ts',
    'lambda/request',
    'lambda/store',
    'lambda/envelope.ts',
    'lambda/*-plant.ts',
    'lambda/handler.ts',
    'infra',
  ],
  operate: ['contract', 'lambda/*.ts', 'lambda/store', 'infra', 'local'],
  client: [],
  'tools/verify': ['contract', 'operate'],
  tools: [
    'operate',
    'client',
    'contract',
    'lambda/*.ts',
    'lambda/request',
    'lambda/store',
    'infra',
    'local',
    'tools/verify',
  ],
  // What a command is tested with, and the trials, may import anything.
  lab: ['*'],
  test: ['*'],
};

/** Tests beside their code, and what only they use; they may import anything. */
const OF_TESTS =
  /\.test\.ts$|^client\/test\/|^tools\/(documents|workflows)\/|\/(weighted-alias|changed-templates)\.ts$/;

/** Programs that are copied to a new project before they are run. */
const IN_A_PROJECT_OF_ITS_OWN = /^lab\/clients\/[^/]+\//;

interface Import {
  readonly file: string;
  readonly specifier: string;
}

const ROOT = path.join(import.meta.dirname, '..');
const FOLDERS = [...new Set(Object.keys(ROOMS).map((room) => room.split('/')[0]))];
const FILES = globSync(`{${FOLDERS}}/**/*.{ts,mjs}`, { cwd: ROOT, exclude: ['**/node_modules', '**/dist'] })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !IN_A_PROJECT_OF_ITS_OWN.test(file));

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

/** The room of a file: the longest entry of the table that matches. */
function roomOf(file: string): string {
  if (OF_TESTS.test(file)) return 'test';
  const fits = Object.keys(ROOMS).filter(
    (room) => path.matchesGlob(file, room) || file.startsWith(`${room}/`),
  );
  const exact = fits.find((room) => room === file);
  return exact ?? fits.sort((a, b) => b.length - a.length)[0] ?? 'no room';
}

test('imports between rooms are those of the table, which go one way', () => {
  const forbidden = OWN.filter(({ file, imported }) => {
    const [from, to] = [roomOf(file), roomOf(imported)];
    const allowed = ROOMS[from] ?? [];
    return from !== to && to !== 'terminal' && !allowed.includes(to) && !allowed.includes('*');
  });
  expect(forbidden.map(({ file, imported }) => `${file} imports ${imported}`)).toEqual([]);
});

test('the client uses nothing that a browser lacks', () => {
  const ofClient = IMPORTS.filter(({ file }) => file.startsWith('client/src/'));
  expect(ofClient.filter(({ specifier }) => !specifier.startsWith('./'))).toEqual([]);
});

test('no files import each other in a circle', () => {
  const waiting = new Map(FILES.map((file) => [file, new Set<string>()]));
  for (const { file, imported } of OWN) waiting.get(file)?.add(imported);
  for (let before = Infinity; waiting.size < before; ) {
    before = waiting.size;
    for (const [file, needed] of waiting)
      if (![...needed].some((each) => waiting.has(each))) waiting.delete(file);
  }
  expect([...waiting.keys()]).toEqual([]);
});

test('every imported package is declared in package.json, and those that lambda/ imports are deployed', () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const undeclared = IMPORTS.filter(({ file, specifier }) => {
    // lab/bench declares its own.
    if (file.startsWith('lab/bench/')) return false;
    if (/^(\.|node:)/.test(specifier) || builtinModules.includes(specifier)) return false;
    const [scope = '', name = ''] = specifier.split('/');
    const wanted = scope.startsWith('@') ? `${scope}/${name}` : scope;
    // The types of a package may come in a package of their own.
    const names = [wanted, `@types/${wanted}`];
    const isDeployed = file.startsWith('lambda/');
    const declared = isDeployed ? [dependencies, types(devDependencies)] : [dependencies, devDependencies];
    return !names.some((each) => declared.some((packages) => Object.hasOwn(packages, each)));
  });
  expect(IMPORTS.length).toBeGreaterThan(300);
  expect(undeclared.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

/** The packages that contain only types, which are never deployed. */
function types(packages: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(packages).filter(([name]) => name.startsWith('@types/')));
}
