import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const at = (file: string) => new URL(`../${file}`, import.meta.url);
const read = (file: string) => readFileSync(at(file), 'utf8');
const WORKFLOWS = readdirSync(at('.github/workflows')).map((name) => `.github/workflows/${name}`);
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<
    string,
    {
      integrity?: string;
      hasInstallScript?: boolean;
      inBundle?: boolean;
      dev?: boolean;
      license?: string;
      link?: boolean;
    }
  >;
};
/** Everything but our own packages: the root and its workspaces, which the lock file names by their folder. */
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

/** The npm, npx and .ci/ commands of a shell script or of a workflow's steps. */
const commands = (file: string) =>
  read(file)
    .split('\n')
    .map((line) => line.replace(/^\s*(- run: )?/, ''))
    .filter((line) => /^(npm|npx|\.ci\/)/.test(line));
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('dependencies', () => {
  test('each package with an install script is listed in allowScripts', () => {
    expect(read('.npmrc')).toMatch(/^strict-allow-scripts=true$/m);
    const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
    const withScript = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => nameOf(path));
    expect(Object.keys(allowScripts).sort()).toEqual(withScript.sort());
    for (const name of withScript)
      expect(read('docs/dependency-policy.md')).toContain(`- \`${name}\`: works without`);
  });

  test('CI installs without install scripts, which npm 10 would run whether listed or not', () => {
    expect(commands('.ci/install')).toEqual([
      'npm ci --ignore-scripts',
      'npm rebuild --ignore-scripts --silent',
    ]);
    for (const file of ['.ci/run', ...WORKFLOWS]) {
      const installs = commands(file).filter((line) => /install|\bnpm (ci|i|add|rebuild)\b/.test(line));
      expect([...new Set(installs)]).toEqual(['.ci/install']);
    }
  });

  test('each npm script that a workflow runs is in package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const names = WORKFLOWS.flatMap((file) =>
      [...read(file).matchAll(/run: npm (?:run )?([\w:-]+)/g)].map(([, script]) => script),
    );
    expect(names).toEqual(expect.arrayContaining(['lint', 'test', 'diff', 'guard', 'canary', 'verify']));
    // npm's own command: a script could hide that the registry did not respond.
    expect(scripts).not.toHaveProperty('audit');
    for (const name of names) expect([...Object.keys(scripts), 'audit']).toContain(name);
  });

  test('each package has a hash, its own or that of the package that contains it', () => {
    const without = installed.filter(([, { integrity, inBundle }]) => !integrity && !inBundle);
    expect(without.map(([path]) => path)).toEqual([]);
  });

  test('in the runtime trial each package has a hash, and only the runtime client has an install script', () => {
    const lock = JSON.parse(read('lab/runtime/package-lock.json')) as { packages: typeof packages };
    const { '': _, ...others } = lock.packages;
    const odd = Object.entries(others).filter(
      ([, { integrity, hasInstallScript }]) => !integrity || hasInstallScript,
    );
    expect(odd.map(([path]) => path)).toEqual(['node_modules/aws-lambda-ric']);
  });

  test('every deployed package has a licence that requires no more than a notice', () => {
    const deployed = installed.filter(([, { dev }]) => !dev);
    const others = deployed.filter(
      ([path, { license }]) =>
        !/^(MIT|Apache-2\.0|0BSD|ISC)$/.test(license ?? '') && !/^node-/.test(nameOf(path)),
    );
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });
});
