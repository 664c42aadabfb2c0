import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RUNTIME } from '../../infra/node.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const [major] = /\d+/.exec(RUNTIME) ?? expect.fail(`${RUNTIME} has no number.`);
const { devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
  'devDependencies' | 'optionalDependencies',
  Record<string, string>
>;

test('this machine runs the version of Node that Lambda runs', () => {
  expect(process.versions.node.split('.')[0]).toBe(major);
});

test('the packages of Node and its types are of that version, each binary exactly', () => {
  const binaries = Object.entries(optionalDependencies);
  expect(binaries.map(([name]) => name).filter((name) => !/^node-/.test(name))).toEqual([]);
  expect(binaries.length).toBe(5);
  for (const [, version] of binaries) expect(version).toMatch(new RegExp(`^${major}\\.\\d+\\.\\d+$`));
  expect(devDependencies['@types/node']).toMatch(new RegExp(`^\\^${major}\\.`));
});

test('no other file names the runtime, except the policy that requires it', () => {
  const files = globSync('{infra,lab,local,tools,test,terminal,.ci,.github}/**/*.{ts,mjs,yml,yaml,py}', {
    cwd: ROOT,
    exclude: ['**/node_modules'],
  });
  const naming = files.filter((file) => /nodejs\d+\.x|target: 'node\d+'/.test(read(file)));
  expect(naming).toEqual(['test/infra/policies/function.ts']);
});
