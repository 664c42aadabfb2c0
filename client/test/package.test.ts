import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { LEAST, WHOLE } from '../../contract/examples.ts';
import { IS_NUMBER, idJson } from '../../contract/key.ts';
import { startHttpService } from '../../test/support/http-service.ts';
import { storedItems } from '../../test/support/stored-item.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';

const ID = IS_NUMBER ? '1n' : idJson(1);
/** Code that TypeScript must accept, and code that it must reject. */
const TYPED = `
import { createPlantStore, type NewPlant, type Plant, type PlantStore } from "plant-store-client";

export const plants: PlantStore = createPlantStore({
  baseUrl: new URL('http://127.0.0.1'), token: 't', fetch, signal: new AbortController().signal,
  onRetry: (error, pauseMs) => console.log(error.error === 40901, pauseMs.toFixed()),
});
export const plant: NewPlant = { id: ${ID}, ${JSON.stringify(WHOLE).slice(1)};
export const created: Promise<Plant> = plants.createPlant(plant, { timeoutMs: 1000 });
// @ts-expect-error An id is of one type.
export const other: NewPlant = { ...plant, id: ${IS_NUMBER ? "'1'" : '1n'} };
// @ts-expect-error The other properties are required.
export const empty: NewPlant = { id: ${ID} };
// @ts-expect-error No property is null.
export const withNull: NewPlant = { ...plant, ${JSON.stringify(Object.keys(WHOLE)[0])}: null };
// @ts-expect-error A token is required.
export const anonymous = () => createPlantStore({ baseUrl: 'http://127.0.0.1' });
`;

const ROOT = path.resolve(import.meta.dirname, '../..');
const README = readFileSync(path.join(ROOT, 'client/README.md'), 'utf8');
const [, EXAMPLE = ''] = /```js\n([^`]+)```/.exec(README) ?? [];
/** The examples of one's own tests. */
const [, ...FAKES] = [...README.matchAll(/```js\n([^`]+)```/g)].map(([, example]) => `{\n${example}}\n`);

/** The examples in the comments, with what they use. */
const EXAMPLES = ['index', 'errors'].flatMap((name) => {
  const source = readFileSync(path.join(ROOT, `client/src/${name}.ts`), 'utf8').replaceAll(/^ +\*/gm, '');
  return [...source.matchAll(/@example\n ```ts\n([\s\S]+?)```/g)].map(([, example]) => `{\n${example}}\n`);
});
const COMMENTED = `
import { createPlantStore, type NewPlant, type PlantStore, PlantStoreError } from "plant-store-client";
declare const [plants, plant, currentToken]: [PlantStore, NewPlant, () => Promise<string>];
${[...EXAMPLES, ...FAKES].join('')}`;

const service = await startHttpService();
afterAll(service.close);

const folder = temporaryFolder();
const project = path.join(folder, 'project');
/** Runs a program in a folder, without the settings of npm and Node that run the tests. @returns its output */
async function run(cwd: string, program: string, args: string[]): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$)/i.test(name));
  const offline = { npm_config_offline: 'true', npm_config_cache: path.join(folder, 'npm-cache') };
  const env = { ...Object.fromEntries(own), ...offline, PLANT_STORE_TOKEN: service.token };
  return (await promisify(execFile)(program, args, { cwd, env })).stdout;
}
// Packed and installed as a user does, without a registry.
const pack = ['pack', '--silent', '--workspace', 'client', '--pack-destination', folder];
const file = path.join(folder, (await run(ROOT, 'npm', pack)).trim());
const compilerOptions = {
  ...{ module: 'nodenext', target: 'es2022', strict: true, skipDefaultLibCheck: true, noEmit: true },
  // A user would install Node's types from the registry.
  ...{ allowJs: true, checkJs: true, types: ['node'], typeRoots: [path.resolve('node_modules/@types')] },
};
const files = {
  'package.json': '{"private": true, "type": "module"}',
  'example.js': EXAMPLE.replace('http://127.0.0.1:3000', service.url),
  'typed.ts': TYPED,
  'commented.ts': COMMENTED,
  'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts', '*.js'] }),
};
mkdirSync(project);
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text);
await run(project, 'npm', ['install', '--no-audit', '--no-fund', file]);

test('the package contains every module, the other required files and nothing else, and needs no other package', () => {
  const client = path.join(project, 'node_modules/plant-store-client');
  const sources = readdirSync(path.join(import.meta.dirname, '../src'));
  const modules = sources.map((name) => path.basename(name, '.ts'));
  const compiled = modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
  const files = ['LICENSE', 'README.md', 'dist', 'package.json', ...compiled];
  expect(readdirSync(client, { recursive: true }).sort()).toEqual(files.sort());
  const manifest = JSON.parse(readFileSync(path.join(client, 'package.json'), 'utf8'));
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
});

test("the README's example stores its plant, with every digit of the id", async () => {
  expect(await run(project, process.execPath, ['example.js'])).toBe(`${JSON.stringify(LEAST)}\n`);
  const [id = 'no plant'] = (await storedItems(service.client)).keys();
  expect(EXAMPLE).toContain(id);
});

test('the types accept the examples of the README and of the comments, and refuse what cannot be sent', async () => {
  expect(EXAMPLES).toHaveLength(3);
  const compiler = path.join(ROOT, 'node_modules/.bin/tsc');
  expect(await run(project, compiler, []).catch(({ stdout }) => stdout)).toBe('');
});
