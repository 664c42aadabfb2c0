import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { LEAST, OTHER, TEXT, WHOLE } from '../../contract/examples.ts';
import { isExhaustive } from '../../test/support/exhaustive.ts';
import { startHttpService } from '../../test/support/http-service.ts';
import { isThere } from '../../test/support/needs.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { makeEmptyProject } from './empty-project.ts';

/** A program in plain JavaScript that prints what a caller gets. */
const PROGRAM = `
import { createRequire } from "node:module";
import { createPlantStore, PlantStoreError } from "plant-store-client";
const required = createRequire(import.meta.url)("plant-store-client");
const client = { baseUrl: process.env.BASE_URL, token: process.env.TOKEN };
const plants = createPlantStore(client);
const failure = (error) => [error.name, error instanceof PlantStoreError, error.error ?? null, error.requestId];
const isInstance = (error) => [PlantStoreError, required.PlantStoreError].map((each) => error instanceof each);
const id = BigInt(process.env.ID);
const { plant, other } = JSON.parse(process.env.PLANTS);
console.log(JSON.stringify({
  node: process.versions.node.split('.')[0],
  stored: await plants.createPlant({ ...plant, id }),
  conflict: await plants.createPlant({ ...other, id }).catch(failure),
  classes: await required.createPlantStore(client).createPlant({ ...other, id }).catch(isInstance),
}));
`;

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const EXAMPLE = `{ id: 1n, ${JSON.stringify(WHOLE).slice(1)}`;

/** Code that TypeScript must accept, and code that it must reject. */
const TYPED = `
import { createPlantStore, type ErrorNumber, type NewPlant, type Plant, type PlantStore, PlantStoreError } from "plant-store-client";

const stop = new AbortController();
export const plants: PlantStore = createPlantStore({
  baseUrl: new URL('http://127.0.0.1'), token: 't', fetch, signal: stop.signal,
  onRetry: (error, pauseMs) => console.log(error.error, pauseMs.toFixed()),
});
export const plant: NewPlant = ${EXAMPLE};
export const created: Promise<Plant> = plants.createPlant(plant, { timeoutMs: 1000 });
// @ts-expect-error An id is not a string.
export const text: NewPlant = { ...plant, id: '1' };
// @ts-expect-error The other properties are required.
export const empty: NewPlant = { id: 1 };
// @ts-expect-error A text is not null.
export const textless: NewPlant = { ...plant, ${TEXT}: null };
// @ts-expect-error A token is required.
export const anonymous = () => createPlantStore({ baseUrl: 'http://127.0.0.1' });

export function explain(error: unknown): string {
  if (!(error instanceof PlantStoreError)) return String(error);
  const seconds: number | undefined = error.retryAfter;
  const number: ErrorNumber = error.error;
  switch (number) {
    case 40901:
      return error.requestId ?? 'taken';
    // @ts-expect-error There is no such number.
    case 40911:
      return 'mistyped';
    default:
      return String(error.status) + seconds;
  }
}
`;

/** Checks the types of packages, but not those of TypeScript itself, which would take four times as long. */
const COMPILER = { module: 'nodenext', target: 'es2022', strict: true, skipDefaultLibCheck: true };

/** Node 20, if it is on this machine. */
const NODE_20 = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'node'))
  .find((node) => existsSync(node) && String(execFileSync(node, ['--version'])).startsWith('v20.'));
isThere(NODE_20 !== undefined, {
  tests: 'the packed client in Node 20',
  why: 'there is no Node 20 on the PATH.',
});

const [server, project] = await Promise.all([startHttpService(), makeEmptyProject(temporaryFolder())]);
afterAll(server.close);

describe('the package', () => {
  test('contains the required files and nothing else', () => {
    const modules = ['response', 'errors', 'index', 'options', 'plant', 'plant-store', 'repeat', 'stop'];
    const folders = ['dist', 'dist/commonjs'];
    const compiled = folders.flatMap((folder) =>
      modules.flatMap((name) => [`${folder}/${name}.d.ts`, `${folder}/${name}.js`]),
    );
    const others = ['LICENSE', 'README.md', 'package.json', 'dist/commonjs/package.json'];
    const files = readdirSync(project.client, { recursive: true }).sort();
    expect(files).toEqual([...compiled, ...folders, ...others].sort());
    const [manifest, ofCommonjs] = ['', 'dist/commonjs'].map((folder) =>
      JSON.parse(readFileSync(path.join(project.client, folder, 'package.json'), 'utf8')),
    );
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
    // For TypeScript 5 with module commonjs, which does not read "exports".
    const entry = { main: './dist/commonjs/index.js', types: './dist/commonjs/index.d.ts' };
    // A bundler leaves the package out of an app that imports it and does not use it.
    expect(manifest).toMatchObject({ ...entry, sideEffects: false });
    expect(ofCommonjs).toEqual({ type: 'commonjs', sideEffects: false });
  });
});

describe('in Node', () => {
  test.for([
    [process.versions.node.slice(0, 2), process.execPath, '9223372036854775807'],
    ['20', NODE_20, '-9223372036854775808'],
  ] as const)('Node %s: a program in plain JavaScript works', async ([node, program, id], { skip }) => {
    if (program === undefined) return skip();
    project.write({ 'program.js': PROGRAM });
    const plant = { ...LEAST, [TEXT]: ' "Ф\t é\u0301🌿\\u0041\u2028' };
    const plants = JSON.stringify({ plant, other: OTHER });
    const environment = { BASE_URL: server.url, TOKEN: server.token, ID: id, PLANTS: plants };
    const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(await project.run(program, ['program.js'], environment))).toEqual({
      node,
      stored: plant,
      conflict: ['PlantStoreError', true, 40901, requestId],
      // The error of the CommonJS copy, by the class of each copy.
      classes: [true, true],
    });
    expect(await server.item(id)).toEqual({ id, ...plant });
  });

  test("the README's example compiles and runs", async () => {
    const [, example = ''] = /```js\n([^`]+)```/.exec(README) ?? [];
    const [, printed] = /The example prints `([^`]+)`/.exec(README) ?? [];
    // A user would install Node's types from the registry.
    const node = { types: ['node'], typeRoots: [path.resolve('node_modules/@types')] };
    const compilerOptions = { ...COMPILER, ...node, outDir: 'compiled' };
    project.write({
      'example.ts': example.replace('http://127.0.0.1:3000', server.url),
      'typed.ts': TYPED,
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    });
    expect(await project.compile()).toBe('');
    const environment = { PLANT_STORE_TOKEN: server.token };
    const output = await project.run(process.execPath, ['compiled/example.js'], environment);
    expect(output).toBe(`${printed}\n`);
    expect(await server.item('9007199254740995')).toBeDefined();
  });
});

describe.runIf(isExhaustive('the packed client’s types with other settings'))(
  'its types are found, and need only those of a browser',
  () => {
    test.each([
      ['commonjs', 'bundler', 'commonjs'],
      ['esnext', 'bundler', 'module'],
      ['node16', 'node16', 'commonjs'],
      ['node16', 'node16', 'module'],
    ])('module %s, moduleResolution %s, type %s', async (module, moduleResolution, type) => {
      const folder = `${module}-${type}`;
      const browser = { types: [], lib: ['es2022', 'dom'], exactOptionalPropertyTypes: true };
      const compilerOptions = { ...COMPILER, ...browser, module, moduleResolution };
      project.write({
        [`${folder}/tsconfig.json`]: JSON.stringify({ compilerOptions }),
        [`${folder}/package.json`]: JSON.stringify({ type }),
        [`${folder}/typed.ts`]: TYPED,
      });
      expect(await project.compile(folder)).toBe('');
    });
  },
);
