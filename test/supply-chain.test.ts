import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const at = (file: string) => new URL(`../${file}`, import.meta.url);
const read = (file: string) => readFileSync(at(file), 'utf8');
interface Package {
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly license?: string;
  readonly link?: boolean;
}
const packages: Record<string, Package> = JSON.parse(read('package-lock.json')).packages;
/** Everything but our own packages: the root and its workspaces, which the lock file names by their folder. */
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('dependencies', () => {
  test('allowScripts denies each install script of a package', () => {
    expect(read('.npmrc')).toMatch(/^strict-allow-scripts=true$/m);
    const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
    const withScript = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => nameOf(path));
    expect(allowScripts).toEqual(Object.fromEntries(withScript.map((name) => [name, false])));
    for (const name of withScript) expect(read('CONTRIBUTING.md')).toContain(`\`${name}\``);
  });

  test('each package has a hash, its own or that of the package that contains it', () => {
    const without = installed.filter(([, { integrity, inBundle }]) => !integrity && !inBundle);
    expect(without.map(([path]) => path)).toEqual([]);
  });

  test('npm waits for a new version as many days as Dependabot does', () => {
    const days = (file: string, pattern: RegExp) =>
      [...read(file).matchAll(pattern)].map(([, found]) => found);
    for (const file of ['.npmrc', '.ci/runtime/.npmrc'])
      expect(days(file, /^min-release-age=(\d+)$/gm)).toEqual(['7']);
    expect(new Set(days('.github/dependabot.yml', /default-days: (\d+)/g))).toEqual(new Set(['7']));
  });

  test('every deployed package has a license that requires no more than a notice', () => {
    const deployed = installed.filter(([, { dev }]) => !dev);
    const others = deployed.filter(
      ([path, { license }]) =>
        !/^(MIT|Apache-2\.0|0BSD|ISC)$/.test(license ?? '') && !/^node-/.test(nameOf(path)),
    );
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });
});
