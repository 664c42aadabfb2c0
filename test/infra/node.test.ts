import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TARGET } from '../../infra/bundle.ts';
import { copyOf, only, UNPROTECTED } from './synth.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const { Runtime } = only(copyOf(UNPROTECTED), 'AWS::Lambda::Function').Properties;
const [major] = /\d+/.exec(Runtime) ?? expect.fail(`${Runtime} has no number.`);
const { devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
  'devDependencies' | 'optionalDependencies',
  Record<string, string>
>;

test('this machine runs the version of Node that Lambda runs', () => {
  expect(process.versions.node.split('.')[0]).toBe(major);
});

test('the function is built for that version', () => {
  expect(TARGET).toBe(`node${major}`);
});

test('the packages of Node and its types are of that version, each binary exactly', () => {
  const binaries = Object.entries(optionalDependencies);
  expect(binaries.map(([name]) => name).filter((name) => !/^node-/.test(name))).toEqual([]);
  expect(binaries.length).toBe(5);
  for (const [, version] of binaries) expect(version).toMatch(new RegExp(`^${major}\\.\\d+\\.\\d+$`));
  expect(devDependencies['@types/node']).toMatch(new RegExp(`^\\^${major}\\.`));
});

test('one file names the runtime, and the policy that requires it', () => {
  const files = globSync('{infra,lab,local,tools,test,terminal,.ci,.github}/**/*.{ts,mjs,yml,yaml,py}', {
    cwd: ROOT,
    exclude: ['**/node_modules'],
  });
  const naming = files.filter((file) => /nodejs\d+\.x|NODEJS_\d|target: 'node\d+'/.test(read(file)));
  expect(naming.sort()).toEqual(['infra/function.ts', 'test/infra/policies/function.ts']);
});
