import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const FOLDERS = ['contract', 'lambda', 'infra', 'local', 'tools', 'test'];

/** Programs that are copied to a new project before they are run. */
const IN_A_PROJECT_OF_ITS_OWN = /generated-clients\/[^/]+\//;

interface Import {
  readonly folder: string;
  readonly file: string;
  readonly specifier: string;
}

/** Every import in a folder, static or dynamic, for values or for types. */
function importsOf(folder: string): Import[] {
  const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.(ts|mjs)$/.test(file) && !IN_A_PROJECT_OF_ITS_OWN.test(file))
    .flatMap((name) => {
      const file = path.join(folder, name);
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      const found = text.matchAll(
        /(?:(?:\bfrom |^import )|\bimport(?:\.meta\.resolve)?\()'([^'\n]+)'(?:;$|\))/gm,
      );
      return [...found].map(([, specifier = '']) => ({ folder, file, specifier }));
    });
}

const IMPORTS = FOLDERS.flatMap(importsOf);

test('every imported package is declared in package.json, and those that lambda/ imports are deployed', () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const undeclared = IMPORTS.filter(({ folder, specifier }) => {
    if (/^(\.|node:)/.test(specifier) || builtinModules.includes(specifier)) return false;
    const [scope = '', name = ''] = specifier.split('/');
    const wanted = scope.startsWith('@') ? `${scope}/${name}` : scope;
    // The types of a package may come in a package of their own.
    const names = [wanted, `@types/${wanted}`];
    const declared =
      folder === 'lambda' ? [dependencies, types(devDependencies)] : [dependencies, devDependencies];
    return !names.some((each) => declared.some((packages) => Object.hasOwn(packages, each)));
  });
  expect(IMPORTS.length).toBeGreaterThan(300);
  expect(undeclared.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

/** The packages that contain only types, which are never deployed. */
function types(packages: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(packages).filter(([name]) => name.startsWith('@types/')));
}
