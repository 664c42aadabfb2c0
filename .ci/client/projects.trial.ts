import { execFile } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WHOLE } from '../../contract/examples.ts';
import { idJson } from '../../contract/key.ts';
import { listen } from '../../local/listen.ts';
import { startChromium } from '../../test/support/chromium.ts';
import { startHttpService } from '../../test/support/http-service.ts';
import { ROOT } from '../../test/support/project.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { folderOf } from '../installation.ts';

const TOOLS = path.join(folderOf('client-projects'), 'node_modules');
const tool = (file: string) => path.join(TOOLS, file);
const NODE = process.execPath;
/** The oldest Nodes in which `require` loads an ES module, the project's, and the newest. */
const NODES = [tool('node-20/bin/node'), tool('node-22/bin/node'), NODE, tool('node-26/bin/node')] as const;
const [NODE_20, , , NODE_26] = NODES;
const DENO = tool('@deno/linux-x64-glibc/deno');
const BUN = tool('@oven/bun-linux-x64/bin/bun');
// Install scripts of other packages would do this.
for (const program of [DENO, BUN]) chmodSync(program, 0o755);

const app = createServer((_, response) => response.end('<!doctype html><title>An app</title>'));
const origin = await listen(app);
const service = await startHttpService({ allowedOrigins: [origin] });
afterAll(async () => {
  await service.close();
  app.closeAllConnections();
  app.close();
});

/** Eleven calls share a signal, which is one more than Node 20 takes without a warning. A bigint of its own would need ES2020. */
const CREATE = `
async function create() {
  const { signal } = new AbortController();
  const plants = createPlantStore({ baseUrl: '${service.url}', token: '${service.token}', signal });
  const calls = Array.from({ length: 11 }, () => plants.createPlant({ id: ${idJson(7)}, ...${JSON.stringify(WHOLE)} }, { signal }));
  const [plant] = await Promise.all(calls);
  console.log(JSON.stringify(plant));
}
`;
const CREATED = JSON.stringify(WHOLE);
const LOAD = {
  module: `import { createPlantStore } from 'plant-store-client';${CREATE}`,
  commonjs: `const { createPlantStore } = require('plant-store-client');${CREATE}`,
};
const TEST = `test('a plant is created', create);`;

/** That of a package.json. */
type Type = keyof typeof LOAD;
/** They run one after the other, until one fails. */
type Commands = readonly (readonly string[])[];

/** A project with one file. @param prints a part of what the commands print: by default, the plant */
const project = (
  name: string,
  type: Type,
  file: string,
  text: string,
  commands: Commands,
  prints = CREATED,
) => {
  return { name: `${name}, ${type}`, type, file, text, commands, prints };
};

/** A program that loads the client. */
const program = (type: Type, ...command: string[]) =>
  project(nameOf(command), type, 'index.js', `${LOAD[type]}create();`, [[...command, 'index.js']]);

/** A test of a runner. @param before what makes `test` known */
const tested = (type: Type, before: string, command: string[], prints?: string) =>
  project(nameOf(command), type, 'index.test.js', before + LOAD[type] + TEST, [command], prints);

/** A program for a compiler with the options of its own `tsc --init`, and further ones. */
function compiled(version: string, type: Type, options = '', prints?: string) {
  const compiler = [NODE, tool(`typescript-${version}/bin/tsc`)];
  const own = `--outDir out --skipLibCheck false --skipDefaultLibCheck ${options}`.trim().split(' ');
  const commands = [
    [...compiler, '--init'],
    [...compiler, ...own],
    [NODE, 'out/index.js'],
  ];
  const text = `${LOAD.module}create();export {};`;
  return project(`TypeScript ${version} ${options}`.trim(), type, 'index.ts', text, commands, prints);
}

const NODENEXT = '--module nodenext --moduleResolution nodenext --verbatimModuleSyntax false';
const BUNDLER = '--module esnext --moduleResolution bundler';
const ESM_ONLY = 'TS1479';
const JEST = tool('jest/bin/jest.js');
const FLAG = '--experimental-vm-modules';
const JEST_REFUSES = 'Must use import to load ES Module';

const PROJECTS = [
  ...NODES.flatMap((node) => [program('module', node), program('commonjs', node)]),
  ...[DENO, BUN].map((runtime) => program('module', runtime, 'run', ...(runtime === DENO ? ['-N'] : []))),
  program('commonjs', BUN, 'run'),

  ...['5.0', '5.3'].map((version) => compiled(version, 'commonjs')),
  ...['5.9', '6', '7'].map((version) => compiled(version, 'module')),
  ...['5.0', '7'].map((version) => compiled(version, 'module', BUNDLER)),
  ...['5.0', '5.3', '5.9', '6', '7'].flatMap((version) => [
    compiled(version, 'module', NODENEXT),
    compiled(version, 'commonjs', NODENEXT, version < '5.8' ? ESM_ONLY : undefined),
  ]),

  tested('module', `import { test } from 'node:test';`, [NODE, '--test']),
  tested('commonjs', `const { test } = require('node:test');`, [NODE, '--test']),
  tested('module', `import { test } from 'vitest';`, [NODE, tool('vitest/vitest.mjs'), 'run']),
  tested('module', 'const test = it;', [NODE, tool('mocha/bin/mocha.js'), 'index.test.js']),
  tested('commonjs', 'const test = it;', [NODE, tool('mocha/bin/mocha.js'), 'index.test.js']),
  tested('module', '', [BUN, 'test']),
  tested('module', 'const { test } = Deno;', [DENO, 'test', '-N', 'index.test.js']),
  tested('module', '', [NODE, JEST], JEST_REFUSES),
  tested('commonjs', '', [NODE_26, JEST], JEST_REFUSES),
  tested('module', '', [NODE_20, FLAG, JEST]),
  tested('commonjs', '', [NODE_20, FLAG, JEST], JEST_REFUSES),
  tested('commonjs', '', [NODE, FLAG, JEST]),
];

/** The commands of bundlers with their defaults, and the script that they make. */
const BUNDLERS = [
  ['esbuild', [tool('esbuild/bin/esbuild'), '--bundle', 'src/index.js', '--outdir=out'], 'out/*.js'],
  ['webpack', [NODE, tool('webpack-cli/bin/cli.js')], 'dist/*.js'],
  ['Vite', [NODE, tool('vite/bin/vite.js'), 'build'], 'dist/assets/*.js'],
] as const;

const users = temporaryFolder();
/** Makes a project below the folder in which the client is installed. @returns its folder */
function write(name: string, type: string, files: Readonly<Record<string, string>>): string {
  const folder = path.join(users, name.replaceAll(/\W+/g, '-'));
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify({ type }), ...files })) {
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

beforeAll(async () => {
  const pack = [['npm', 'pack', '--silent', '--workspace', 'client', '--pack-destination', users]];
  const file = (await outputOf(ROOT, pack)).trim();
  write('.', 'module', {});
  await outputOf(users, [['npm', 'install', '--offline', `./${file}`]]);
});

test.concurrent.for(PROJECTS)('$name', async ({ name, type, file, text, commands, prints }) => {
  const folder = write(name, type, { [file]: text });
  if (file.includes('test')) symlinkSync(TOOLS, path.join(folder, 'node_modules'));
  const output = await outputOf(folder, commands);
  expect(output).toContain(prints);
  expect(output).not.toContain('MaxListeners');
});

test.concurrent.for(BUNDLERS)('%s, for a page in Chromium', async ([name, command, script]) => {
  const page = '<!doctype html><title>An app</title><script type="module" src="/src/index.js"></script>';
  const folder = write(name, 'module', { 'index.html': page, 'src/index.js': `${LOAD.module}create();` });
  await outputOf(folder, [command]);
  const [bundle = ''] = globSync(script, { cwd: folder });
  const browser = await startChromium();
  try {
    const tab = await browser.newPage();
    await tab.goto(origin);
    const printed = tab.waitForEvent('console');
    await tab.addScriptTag({ path: path.join(folder, bundle) });
    expect((await printed).text()).toBe(CREATED);
  } finally {
    await browser.close();
  }
});

function nameOf(command: readonly string[]): string {
  return command
    .map((each) => (each.startsWith(TOOLS) ? path.relative(TOOLS, each) : path.basename(each)))
    .join(' ');
}
