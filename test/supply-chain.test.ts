import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isThere } from './support/needs.ts';
import { ROOT, read } from './support/project.ts';

interface Package {
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly license?: string;
  readonly link?: boolean;
  readonly libc?: readonly string[];
}
const LOCK = 'package-lock.json';
const hasLock = isThere(existsSync(path.join(ROOT, LOCK)), {
  tests: 'the licenses, hashes and install scripts of packages',
  why: `there is no ${LOCK} here: in a workspace, the root has it.`,
});
const packages: Record<string, Package> = hasLock ? JSON.parse(read(LOCK)).packages : {};
/** Everything but our own packages: the root and its workspaces, which the lock file names by their folder. */
const installed = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  .map(([path, found]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 13), ...found }));

// npm refuses a script that is not listed, but CI installs without scripts.
test.skipIf(!hasLock)('allowScripts denies each install script of a package', () => {
  expect(read('.npmrc')).toMatch(/^strict-allow-scripts=true$/m);
  const names = installed.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  const denied = Object.fromEntries(names.map((name) => [name, false]));
  expect(JSON.parse(read('package.json')).allowScripts).toEqual(denied);
});

test.skipIf(!hasLock)('each package has a hash, its own or that of the package that contains it', () => {
  expect(installed.filter(({ integrity, inBundle }) => !integrity && !inBundle)).toEqual([]);
});

test.skipIf(!hasLock)('each package for one of the C libraries of Linux names it', () => {
  const ofOne = installed.filter(({ name }) => /-(gnu|musl)$/.test(name));
  const without = ofOne.filter(({ libc }) => libc === undefined).map(({ name }) => name);
  const mend = `npm before 11.11 has taken "libc" out of ${LOCK}, and would install both: bring the file back, and use npx -y npm@11 install --ignore-scripts`;
  expect(without, mend).toEqual([]);
});

test.skipIf(!hasLock)('every deployed package has a license that requires no more than a notice', () => {
  const deployed = installed.filter(({ dev, name }) => !dev && !name.startsWith('node-'));
  expect(deployed.filter(({ license = '' }) => !/^(MIT|Apache-2\.0|0BSD|ISC)$/.test(license))).toEqual([]);
});
