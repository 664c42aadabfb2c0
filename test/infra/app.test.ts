import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plant-store-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a module of a project folder, as the CDK's command line runs the app. */
function run(root: string, words: string[], environment = {}) {
  return new Promise<{ code: unknown; text: string }>((resolve) => {
    const options = {
      cwd: root,
      env: { PATH: process.env.PATH, NODE_OPTIONS: process.env.NODE_OPTIONS, ...environment },
    };
    execFile(process.execPath, words, options, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, text: stdout + stderr });
    });
  });
}

test.each<[string, object, unknown]>([
  [
    'infra/start.mjs',
    { stage: 'prdo' },
    expect.stringMatching(/^Unknown stage "prdo"; choose one of: .*\bdev-NAME\b.*\.\n$/),
  ],
  [
    'infra/start.mjs',
    { alarmEmail: '@' },
    'Stage dev: alarmEmail cannot be "@"; it must be one e-mail address, such as operators@example.com.\n',
  ],
])('%s with %j ends with one line and code 1', async (module, context, text) => {
  const result = await run(ROOT, [module], { CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: folder });
  expect(result).toEqual({ code: 1, text });
});

test('before npm ci, the app prints one line that says what to do', async () => {
  const bare = join(folder, 'bare');
  await cp(join(ROOT, 'infra'), join(bare, 'infra'), { recursive: true });
  const result = await run(bare, ['infra/start.mjs']);
  expect(result.code).toBe(1);
  expect(result.text).toMatch(/^Run `npm ci` first\. [^\n]+\n$/);
});

test('two copies of the project in different folders produce the same bundle', async () => {
  const bundled = async (name: string) => {
    const copy = join(folder, name);
    for (const part of ['infra', 'lambda', 'package.json']) {
      await cp(join(ROOT, part), join(copy, part), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const script = "import('./infra/bundle.ts').then(({ bundle }) => bundle('out'))";
    expect(await run(copy, ['-e', script])).toEqual({ code: 0, text: '' });
    return readFile(join(copy, 'out', 'handler.cjs'));
  };
  const [first, second] = await Promise.all([bundled('one'), bundled(join('two', 'deeper'))]);
  expect(first.equals(second)).toBe(true);
  expect(first.includes(folder) || first.includes(ROOT)).toBe(false);
});
