import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, startChromium } from '../browser/chromium.ts';
import { startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { lendNodeTypes, makeEmptyProject } from './empty-project.ts';

/** A program in plain JavaScript that prints what a caller would see. */
const PROGRAM = `
import { createPlantStore, PlantStoreError } from "plant-store-client";
const plants = createPlantStore({ baseUrl: process.env.BASE_URL, token: process.env.TOKEN });
const failure = (error) => [error.name, error instanceof PlantStoreError, error.error ?? null];
const id = BigInt(process.env.ID);
console.log(JSON.stringify({
  node: process.versions.node.split('.')[0],
  stored: await plants.createPlant({ id, name: 'Fern' }),
  conflict: await plants.createPlant({ id, name: 'Moss' }).catch(failure),
  unsafe: await plants.createPlant({ id: 9007199254740992, name: 'Fern' }).catch(failure),
}));
`;

/** Code that TypeScript must accept, and code that it must reject. */
const TYPED = `
import { createPlantStore, type ErrorNumber, type NewPlant, type Plant, type PlantStore, PlantStoreError } from "plant-store-client";

const stop = new AbortController();
export const plants: PlantStore = createPlantStore({
  baseUrl: new URL('http://localhost'), token: 't', fetch, signal: stop.signal,
  onRepeat: (error, pauseMs) => console.log(error.error, pauseMs.toFixed()),
});
export const plant: NewPlant = { id: 1n, name: 'Fern' };
export const created: Promise<Plant> = plants.createPlant({ ...plant, tag: 'shade' }, { timeoutMs: 1000 });
// @ts-expect-error An id is not a string.
export const text: NewPlant = { id: '1', name: 'Fern' };
// @ts-expect-error A name is required.
export const nameless: NewPlant = { id: 1 };
// @ts-expect-error A tag is not null.
export const untagged: NewPlant = { id: 1, name: 'Fern', tag: null };
// @ts-expect-error A token is required.
export const anonymous = () => createPlantStore({ baseUrl: 'http://localhost' });

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

const COMPILER = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, skipLibCheck: false };

/** Finds another Node on this machine by its major version. */
function findNode(major: number): string | undefined {
  const nodes = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'node'));
  return nodes.find((node) => {
    if (!existsSync(node)) return false;
    return execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`);
  });
}

const NODE_20 = findNode(20);
if (NODE_20 === undefined) {
  process.stderr.write('\nSkipped the packed client in Node 20: there is no Node 20 on the PATH.\n');
}
if (!hasChromium) process.stderr.write('\nSkipped the packed client in Chromium: there is no Chromium.\n');

const [server, project] = await Promise.all([startLocalProcess(), makeEmptyProject(temporaryFolder())]);
afterAll(() => server.end());

describe('the package', () => {
  test('contains the required files and nothing else', () => {
    const modules = ['answer', 'errors', 'index', 'plant', 'plant-store', 'repeat', 'stop'];
    const compiled = modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
    expect(project.packed).toEqual([...compiled, 'LICENSE', 'README.md', 'package.json'].sort());
    const manifest = JSON.parse(
      readFileSync(path.join(project.folder, 'node_modules/plant-store-client/package.json'), 'utf8'),
    );
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
  });

  test('is under 5 kB minified', async () => {
    const entry = path.join(project.folder, 'node_modules/plant-store-client/dist/index.js');
    const options = { bundle: true, minify: true, format: 'esm', write: false } as const;
    const { outputFiles } = await build({ ...options, entryPoints: [entry] });
    expect(outputFiles[0]?.contents.length).toBeLessThan(5000);
  });
});

describe('in Node', () => {
  test('24, plain JavaScript', () => expectProgramToRun(process.execPath, '24', '9223372036854775807'));

  test.runIf(NODE_20 !== undefined)('20, plain JavaScript', () =>
    expectProgramToRun(NODE_20 ?? '', '20', '9223372036854775806'),
  );

  async function expectProgramToRun(node: string, major: string, id: string): Promise<void> {
    project.write({ 'program.js': PROGRAM });
    const environment = { BASE_URL: server.url, TOKEN: server.token, ID: id };
    expect(JSON.parse(await project.run(node, ['program.js'], environment))).toEqual({
      node: major,
      stored: { name: 'Fern' },
      conflict: ['PlantStoreError', true, 40901],
      unsafe: ['RangeError', false, null],
    });
    expect(await server.item(id)).toEqual({ id, name: 'Fern' });
  }

  test("the README's example compiles and runs", async () => {
    const readme = readFileSync(new URL('../../client/README.md', import.meta.url), 'utf8');
    const [, example = ''] = /```js\n([^`]+)```/.exec(readme) ?? [];
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(11);
    lendNodeTypes(project);
    const compilerOptions = { ...COMPILER, noEmit: false, types: ['node'], outDir: 'compiled' };
    project.write({
      'example.ts': example.replace('http://localhost:3000', server.url),
      'typed.ts': TYPED,
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    });
    expect(await project.compile()).toBe('');
    const environment = { PLANT_STORE_TOKEN: server.token };
    const output = await project.run(process.execPath, ['compiled/example.js'], environment);
    expect(output).toBe('Stored: Fern shade\n');
    expect(await server.item('9007199254740993')).toMatchObject({ name: 'Fern', tag: 'shade' });
  });

  test('its types need only the types of a browser', async () => {
    const compilerOptions = {
      ...COMPILER,
      types: [],
      lib: ['es2022', 'dom'],
      exactOptionalPropertyTypes: true,
    };
    project.write({
      'typed.ts': TYPED,
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['typed.ts'] }),
    });
    expect(await project.compile()).toBe('');
  });
});

describe.runIf(hasChromium)('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
    page = await browser.newPage();
    await serveClient(page);
    await page.goto(`${server.url}/app/`);
  });
  afterAll(() => browser?.close());

  /** Serves a page with the installed package at the service's origin, where CORS is not needed. */
  async function serveClient(page: Page): Promise<void> {
    const imports = { 'plant-store-client': '/app/dist/index.js' };
    const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;
    await page.route(`${server.url}/app/**`, (route) => {
      const file = new URL(route.request().url()).pathname.slice('/app/'.length);
      if (file === '') return route.fulfill({ contentType: 'text/html', body: html });
      return route.fulfill({ path: path.join(project.folder, 'node_modules/plant-store-client', file) });
    });
  }

  /** Runs an expression on the page. It may use `plants`, a client, and `failure`, which reads an error. */
  function onPage(expression: string): Promise<unknown> {
    const client = JSON.stringify({ baseUrl: server.url, token: server.token });
    return page.evaluate(`(async () => {
      const { createPlantStore, PlantStoreError } = await import("plant-store-client");
      const client = ${client};
      const plants = createPlantStore(client);
      const failure = (error) => [error.name, error instanceof PlantStoreError, error.error ?? null];
      return ${expression};
    })()`);
  }

  test('it creates a plant with the exact id', async () => {
    const id = '9223372036854775805';
    expect(await onPage(`await plants.createPlant({ id: ${id}n, name: 'Fern' })`)).toEqual({ name: 'Fern' });
    expect(await server.item(id)).toEqual({ id, name: 'Fern' });
    const conflict = await onPage(`await plants.createPlant({ id: ${id}n, name: 'Moss' }).catch(failure)`);
    expect(conflict).toEqual(['PlantStoreError', true, 40901]);
  });

  test("it accepts the page's own fetch", async () => {
    const plant = `{ id: 4001, name: 'Fern' }`;
    expect(
      await onPage(`await createPlantStore({ ...client, fetch: window.fetch }).createPlant(${plant})`),
    ).toEqual({
      name: 'Fern',
    });
  });

  test('it retries after a broken connection', async () => {
    let broken = 0;
    await page.route(`${server.url}/plants`, (route) => {
      broken += 1;
      return broken === 1 ? route.abort('connectionreset') : route.continue();
    });
    expect(await onPage(`await plants.createPlant({ id: 4002, name: 'Fern' })`)).toEqual({ name: 'Fern' });
    expect(broken).toBe(2);
    await page.unroute(`${server.url}/plants`);
  });

  test('a redirect is not followed', async () => {
    await page.route(`${server.url}/moved/plants`, (route) =>
      route.fulfill({ status: 307, headers: { location: `${server.url}/plants` } }),
    );
    const moved = `createPlantStore({ ...client, baseUrl: client.baseUrl + '/moved' })`;
    const answer = await onPage(`await ${moved}.createPlant({ id: 4003, name: 'Fern' }).catch(failure)`);
    expect(answer).toEqual(['PlantStoreError', true, 40000]);
    expect(await server.item('4003')).toBeUndefined();
  });

  test('an abort ends a call', async () => {
    const aborted = `createPlantStore({ ...client, signal: AbortSignal.abort() })`;
    const answer = await onPage(`await ${aborted}.createPlant({ id: 4004, name: 'Fern' }).catch(failure)`);
    expect(answer).toEqual(['AbortError', false, null]);
  });
});
