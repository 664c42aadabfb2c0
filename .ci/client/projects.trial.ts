import { execFile } from 'node:child_process';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WHOLE } from '../../contract/examples.ts';
import { idJson } from '../../contract/key.ts';
import { listen } from '../../local/listen.ts';
import { startChromium } from '../../test/support/chromium.ts';
import { startHttpService } from '../../test/support/http-service.ts';
import { ROOT, read } from '../../test/support/project.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { folderOf } from '../installation.ts';

const app = createServer((_, response) => response.end('<!doctype html><title>An app</title>'));
const origin = await listen(app);
const service = await startHttpService({ allowedOrigins: [origin] });
afterAll(async () => {
  await service.close();
  app.closeAllConnections();
  app.close();
});

const CREATED = JSON.stringify(WHOLE);
/** Eleven calls share a signal, which is one more than Node 20 takes without a warning. A bigint of its own would need ES2020. */
const CREATE = `
async function create() {
  const { signal } = new AbortController();
  const plants = createPlantStore({ baseUrl: '${service.url}', token: '${service.token}', signal });
  const calls = Array.from({ length: 11 }, () => plants.createPlant({ id: ${idJson(7)}, ...${CREATED} }, { signal }));
  const [plant] = await Promise.all(calls);
  console.log(JSON.stringify(plant));
}
`;
const IMPORT = `import { createPlantStore } from 'plant-store-client';${CREATE}`;
const REQUIRE = `const { createPlantStore } = require('plant-store-client');${CREATE}`;
const PROGRAM = `${IMPORT}create();`;

/** The files of a project by their paths, and its text. */
type Files = Readonly<Record<string, string>>;
const COMMONJS: Files = { 'package.json': '{"type":"commonjs"}' };
/** Without the types of the package, the compiler would not refuse the number. */
const TYPED: Files = { 'index.ts': `${PROGRAM}\n// @ts-expect-error\n() => createPlantStore(7);` };
const TEST: Files = { 'index.test.js': `${IMPORT}test('a plant is created', create);` };
const PAGE: Files = {
  'index.html': '<!doctype html><title>An app</title><script type="module" src="/src/index.js"></script>',
  'src/index.js': PROGRAM,
};
/** workerd connects to this machine only if it is told to. */
const WORKER: Files = {
  'index.js': `${IMPORT}export default { test: create };`,
  'config.capnp': `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (
    modules = [(name = "worker", esModule = embed "out.js")],
    compatibilityDate = "2026-11-01",
    globalOutbound = "loopback",
  )),
  (name = "loopback", network = (allow = ["127.0.0.0/8"])),
]);`,
};

/** They run one after the other, until one fails. */
type Commands = readonly (readonly string[])[];
const NODE = process.execPath;
const tool = (file: string) => path.join(folderOf('client-projects'), 'node_modules', file);
/** One of the project's own tools. */
const own = (file: string) => path.join(ROOT, 'node_modules', file);
const compiled = (compiler: string, ...options: string[]): Commands => [
  [NODE, compiler, '--strict', '--outDir', 'out', ...options, 'index.ts'],
  [NODE, 'out/index.js'],
];
const NODE10 = ['--module', 'commonjs', '--moduleResolution', 'node10', '--target', 'es2020'];
const BUNDLER = ['--module', 'esnext', '--moduleResolution', 'bundler'];
const JEST = ['--experimental-vm-modules', tool('jest/bin/jest.js')];
const VITEST = [tool('vitest/vitest.mjs'), 'run', '--globals', '--environment=jsdom'];
const WEBPACK = `require(${JSON.stringify(tool('webpack'))})({}, (error, stats) => console.log(String(error ?? stats)))`;

/** The words of client/README.md for each, its files and commands, and the script for a page that they make. */
const PROJECTS: readonly [words: string, Files, Commands, script?: string][] = [
  [
    'TypeScript 5.0 with node10',
    { ...TYPED, ...COMMONJS },
    compiled(tool('typescript-5.0/bin/tsc'), ...NODE10),
  ],
  ['5.9 with nodenext', TYPED, compiled(tool('typescript-5.9/bin/tsc'), '--module', 'nodenext')],
  [`${versionOf('typescript')} with bundler`, TYPED, compiled(own('typescript/bin/tsc'), ...BUNDLER)],
  [
    'in Node 20.19',
    { 'index.js': `${REQUIRE}create();`, ...COMMONJS },
    [[tool('node-20/bin/node'), 'index.js']],
  ],
  ['in Node 26', { 'index.js': PROGRAM }, [[tool('node-26/bin/node'), 'index.js']]],
  ['Jest 30', TEST, [[NODE, ...JEST]]],
  [`Vitest ${versionOf('vitest')} with jsdom 31`, TEST, [[NODE, ...VITEST]]],
  [`Vite ${versionOf('vite')}`, PAGE, [[NODE, own('vite/bin/vite.js'), 'build']], 'dist/assets/*.js'],
  ['webpack 5', PAGE, [[NODE, '-e', WEBPACK]], 'dist/*.js'],
  [
    `esbuild ${versionOf('esbuild')} for workerd`,
    WORKER,
    [
      [own('esbuild/bin/esbuild'), 'index.js', '--bundle', '--format=esm', '--outfile=out.js'],
      [tool('@cloudflare/workerd-linux-64/bin/workerd'), 'test', 'config.capnp'],
    ],
  ],
  ['Deno 2', { 'index.js': PROGRAM }, [[tool('@deno/linux-x64-glibc/deno'), 'run', '-N', 'index.js']]],
  ['Bun 1', { 'index.js': PROGRAM }, [[tool('@oven/bun-linux-x64/bin/bun'), 'index.js']]],
];

const users = temporaryFolder();
/** Makes a project below the folder in which the client is installed. @returns its folder */
function write(name: string, files: Files): string {
  const folder = path.join(users, name.replaceAll(/\W+/g, '-'));
  for (const [file, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

/** Runs commands in a folder until one fails, without the variables of npm and Vitest. @returns what they print */
async function outputOf(cwd: string, commands: Commands): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: users, TMPDIR: users, NO_COLOR: '1' };
  let output = '';
  for (const [file = '', ...args] of commands) {
    const { stdout, stderr, code } = await promisify(execFile)(file, args, { cwd, env }).catch(
      (error) => error,
    );
    output += stdout + stderr;
    if (code) break;
  }
  return output;
}

/** @returns the first text that a script prints in a page in Chromium */
async function printedInPage(script: string): Promise<string> {
  const browser = await startChromium();
  try {
    const tab = await browser.newPage();
    await tab.goto(origin);
    const printed = tab.waitForEvent('console');
    await tab.addScriptTag({ path: script });
    return (await printed).text();
  } finally {
    await browser.close();
  }
}

beforeAll(async () => {
  const pack = [['npm', 'pack', '--silent', '--workspace', 'client', '--pack-destination', users]];
  const file = (await outputOf(ROOT, pack)).trim();
  write('.', {});
  await outputOf(users, [['npm', 'install', '--offline', `./${file}`]]);
});

test.concurrent.for(PROJECTS)('%s', async ([words, files, commands, script]) => {
  expect(read('client/README.md').replace(/\s+/g, ' ')).toContain(words);
  const folder = write(words, files);
  let output = await outputOf(folder, commands);
  for (const each of script ? globSync(script, { cwd: folder }) : [])
    output = await printedInPage(path.join(folder, each));
  expect(output).toContain(CREATED);
  expect(output).not.toContain('MaxListeners');
});

/** The first number of the version of one of the project's own tools, or two if it is 0. */
function versionOf(name: string): string {
  const { version } = JSON.parse(read(`node_modules/${name}/package.json`));
  return /^0\.\d+|^\d+/.exec(version)?.[0] ?? '';
}
