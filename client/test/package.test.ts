import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { LEAST, OTHER, TEXT, WHOLE } from '../../contract/examples.ts';
import { startHttpService } from '../../test/support/http-service.ts';
import { isThere } from '../../test/support/needs.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';

/** A program in plain JavaScript that prints what a caller gets. */
const PROGRAM = `
import { createPlantStore, PlantStoreError } from "plant-store-client";
const plants = createPlantStore({ baseUrl: process.env.BASE_URL, token: process.env.PLANT_STORE_TOKEN });
const failure = (error) => [error instanceof PlantStoreError, error.error ?? null, error.requestId];
const id = BigInt(process.env.ID);
const { plant, other } = JSON.parse(process.env.PLANTS);
console.log(JSON.stringify({
  node: process.versions.node.split('.')[0],
  stored: await plants.createPlant({ ...plant, id }),
  conflict: await plants.createPlant({ ...other, id }).catch(failure),
}));
`;

/** Code that TypeScript must accept, and code that it must reject. */
const TYPED = `
import { createPlantStore, type NewPlant, type Plant, type PlantStore } from "plant-store-client";

export const plants: PlantStore = createPlantStore({
  baseUrl: new URL('http://127.0.0.1'), token: 't', fetch, signal: new AbortController().signal,
  onRetry: (error, pauseMs) => console.log(error.error === 40901, pauseMs.toFixed()),
});
export const plant: NewPlant = { id: 1n, ${JSON.stringify(WHOLE).slice(1)};
export const created: Promise<Plant> = plants.createPlant(plant, { timeoutMs: 1000 });
// @ts-expect-error An id is not a string.
export const text: NewPlant = { ...plant, id: '1' };
// @ts-expect-error The other properties are required.
export const empty: NewPlant = { id: 1 };
// @ts-expect-error A text is not null.
export const textless: NewPlant = { ...plant, ${TEXT}: null };
// @ts-expect-error A token is required.
export const anonymous = () => createPlantStore({ baseUrl: 'http://127.0.0.1' });
`;

const ROOT = path.resolve(import.meta.dirname, '../..');
const README = readFileSync(path.join(ROOT, 'client/README.md'), 'utf8');

/** Node 20, if it is on this machine. */
const NODE_20 = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'node'))
  .find((node) => existsSync(node) && String(execFileSync(node, ['--version'])).startsWith('v20.'));
isThere(NODE_20 !== undefined, {
  tests: 'the packed client in Node 20',
  why: 'there is no Node 20 on the PATH.',
});

const service = await startHttpService();
afterAll(service.close);

const folder = temporaryFolder();
const project = path.join(folder, 'project');
/** Runs a program in a folder, without the settings of npm and Node that run the tests. @returns its output */
async function run(cwd: string, program: string, args: string[], variables = {}): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$)/i.test(name));
  const offline = { npm_config_offline: 'true', npm_config_cache: path.join(folder, 'npm-cache') };
  const access = { BASE_URL: service.url, PLANT_STORE_TOKEN: service.token };
  const env = { ...Object.fromEntries(own), ...offline, ...access, ...variables };
  return (await promisify(execFile)(program, args, { cwd, env })).stdout;
}
// Packed and installed as a user does, without a registry.
const pack = ['pack', '--silent', '--workspace', 'client', '--pack-destination', folder];
const file = path.join(folder, (await run(ROOT, 'npm', pack)).trim());
mkdirSync(project);
writeFileSync(path.join(project, 'package.json'), '{"private": true, "type": "module"}');
await run(project, 'npm', ['install', '--no-audit', '--no-fund', file]);

test('the package contains the required files and nothing else, and needs no other package', () => {
  const client = path.join(project, 'node_modules/plant-store-client');
  const modules = ['call', 'errors', 'index', 'json', 'plant', 'response'];
  const compiled = modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
  const files = ['LICENSE', 'README.md', 'dist', 'package.json', ...compiled];
  expect(readdirSync(client, { recursive: true }).sort()).toEqual(files.sort());
  const manifest = JSON.parse(readFileSync(path.join(client, 'package.json'), 'utf8'));
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
});

test.for([
  [process.versions.node.slice(0, 2), process.execPath, '9223372036854775807'],
  ['20', NODE_20, '-9223372036854775808'],
] as const)('Node %s: a program in plain JavaScript works', async ([node, program, ID], { skip }) => {
  if (program === undefined) return skip();
  writeFileSync(path.join(project, 'program.js'), PROGRAM);
  const plant = { ...LEAST, [TEXT]: ' "Ф\t é\u0301🌿\\u0041\u2028' };
  const PLANTS = JSON.stringify({ plant, other: OTHER });
  expect(JSON.parse(await run(project, program, ['program.js'], { ID, PLANTS }))).toEqual({
    node,
    stored: plant,
    conflict: [true, 40901, expect.stringMatching(/^[0-9a-f-]{36}$/)],
  });
  expect(await service.item(ID)).toEqual({ id: ID, ...plant });
});

test("the README's example compiles and runs", async () => {
  const [, example = ''] = /```js\n([^`]+)```/.exec(README) ?? [];
  const [, printed] = /The example prints `([^`]+)`/.exec(README) ?? [];
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', strict: true, skipDefaultLibCheck: true, outDir: 'compiled' },
    // A user would install Node's types from the registry.
    ...{ types: ['node'], typeRoots: [path.resolve('node_modules/@types')] },
  };
  const files = {
    'example.ts': example.replace('http://127.0.0.1:3000', service.url),
    'typed.ts': TYPED,
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text);
  const compiled = await run(project, path.join(ROOT, 'node_modules/.bin/tsc'), []).catch(
    ({ stdout }) => stdout,
  );
  expect(compiled).toBe('');
  expect(await run(project, process.execPath, ['compiled/example.js'])).toBe(`${printed}\n`);
  expect(await service.item('9007199254740995')).toBeDefined();
});
