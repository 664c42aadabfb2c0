import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { isThere } from '../support/needs.ts';
import { ROOT, read } from '../support/project.ts';

// JavaScript, without types.
const { DEPLOYER, partOf } = await import(path.join(ROOT, '.ci/deployer-packages.mjs'));
const LOCK = 'package-lock.json';
const hasLock = isThere(existsSync(path.join(ROOT, LOCK)), {
  tests: 'the lock of what deploys',
  why: `there is no ${LOCK} here: in a workspace, the root has it.`,
});

test('what deploys a finished cdk.out imports these packages, and the CDK library and esbuild only where it synthesizes', async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['deploy', 'guard', 'verify']
      .map((name) => `commands/${name}.ts`)
      .concat('infra/find-stage.ts'),
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'any',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['*/synthesize.ts'],
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const packages = imports
    .filter(({ external, path: name }) => external && !/^(node:|\.)/.test(name))
    .map(({ path: name }) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  expect([...new Set([...packages, 'aws-cdk'])].sort()).toEqual(DEPLOYER);
  expect(read('SECURITY.md')).toContain(`installs ${DEPLOYER.length} packages`);
});

test.skipIf(!hasLock)(
  'its lock is a part of the whole one, with all that these packages need, and not a third of the rest',
  () => {
    const whole = JSON.parse(read(LOCK));
    const { lock, project } = partOf(JSON.parse(read('package.json')), whole, DEPLOYER);
    const { '': root, ...packages } = lock.packages;
    expect(project).toMatchObject(root);
    for (const [name, { dev: _, ...each }] of Object.entries<Record<string, unknown>>(packages)) {
      const { dev, ...same } = whole.packages[name];
      expect({ name, ...each }).toEqual({ name, ...same });
    }
    const names = Object.keys(packages);
    expect(names).toEqual(expect.arrayContaining(DEPLOYER.map((name: string) => `node_modules/${name}`)));
    expect(names).not.toContain('node_modules/aws-cdk-lib');
    expect(names.length).toBeLessThan(Object.keys(whole.packages).length / 3);
  },
);

test('a package gets what it needs from where Node would find it', () => {
  const need = (name: string) => ({ dependencies: { [name]: '1' } });
  const packages = {
    '': {},
    'node_modules/a': need('b'),
    'node_modules/a/node_modules/b': need('c'),
    'node_modules/b': need('other'),
    'node_modules/c': { optionalDependencies: { absent: '1' }, dev: true },
    'node_modules/other': {},
  };
  const project = {
    name: 'all',
    dependencies: {},
    devDependencies: { a: '1', b: '1' },
    optionalDependencies: {},
  };
  const { lock } = partOf(project, { packages }, ['a']);
  expect(Object.keys(lock.packages)).toEqual([
    '',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
  ]);
});
