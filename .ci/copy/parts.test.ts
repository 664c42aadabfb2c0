import path from 'node:path';
import { expect } from 'vitest';
import { someOf } from '../../test/support/exhaustive.ts';
import { manifestsOf, planCopy } from './plan.ts';
import { RENAMED_HOUSE, testOfHouse } from './test-house.ts';

const MANIFESTS = manifestsOf(RENAMED_HOUSE);
/** Not what comes with others only. */
const CHOICES = MANIFESTS.filter(({ name }) => !MANIFESTS.some(({ needs }) => needs.includes(name)));
const [OPERATIONS = [], PARTS = []] = [true, false].map((isOperation) =>
  CHOICES.filter((each) => each.isOperation === isOperation).map(({ name }) => name),
);

/** All of them: each number below 2^n chooses by its bits. */
const subsetsOf = (names: readonly string[]) =>
  Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_, n) => (bits >> n) % 2 === 1));

/** Any parts with no operation and with all, any operations with no part and with all: what two of them have together is in one. */
const SUBSETS = [
  ...subsetsOf(PARTS).flatMap((parts) => [parts, [...parts, ...OPERATIONS]]),
  ...subsetsOf(OPERATIONS).flatMap((operations) => [operations, [...PARTS, ...operations]]),
];

/** What a text may name: a file of the house, or a folder with a slash at its end. */
const PATHS = new Set([...RENAMED_HOUSE.keys()].flatMap((file) => [file, `${path.dirname(file)}/`]));

const named = new Map<string, readonly string[]>();

/** The paths that a text names. Copies have most texts in common, so each is read once. */
function pathsIn(text: string): readonly string[] {
  const found =
    named.get(text) ??
    [...text.matchAll(/[\w./-]+/g)].flatMap(([word]) =>
      [...word.matchAll(/(?<=\/)|(?=[./])|$/g)]
        .map(({ index }) => word.slice(0, index))
        .filter((each) => PATHS.has(each)),
    );
  named.set(text, found);
  return found;
}

/** The links of a page, and the imports of a module, which are told from its folder. */
const linksIn = (file: string, text: string) => {
  const links = file.endsWith('.md')
    ? /\]\((?!\w+:)([^)#\n]+)[^)\n]*\)/g
    : /(?:\bfrom |^import |\bimport\()'(\.[^'\n]+)'/gm;
  return [...text.matchAll(links)].map(([, link = '']) => path.join(path.dirname(file), link));
};

const packagesOf = (tree: ReadonlyMap<string, string>) =>
  Object.keys(JSON.parse(tree.get('package.json') ?? '').devDependencies);

/** What a copy says of a file or of a package that it lacks. */
function lies(copy: ReadonlyMap<string, string>): string[] {
  const missing = new Set([...RENAMED_HOUSE.keys()].filter((file) => !copy.has(file)));
  const folders = new Set([...copy.keys()].map((file) => path.dirname(file)));
  const paths = new Set(
    [...missing].map((file) => (folders.has(path.dirname(file)) ? file : `${path.dirname(file)}/`)),
  );
  const own = packagesOf(copy);
  const packages = packagesOf(RENAMED_HOUSE).filter((name) => !own.includes(name));
  return [...copy].flatMap(([file, text]) => {
    if (file.endsWith('lock.json')) return [];
    const links = linksIn(file, text).filter((link) => missing.has(link));
    const named = packages.filter((name) => file.endsWith('.md') && text.includes(`\`${name}\``));
    const all = [...pathsIn(text).filter((each) => paths.has(each)), ...links, ...named];
    return all.map((lie) => `${file}: ${lie}`);
  });
}

testOfHouse(
  'a copy with any parts and operations can be made, and names no file or package that it lacks',
  () => {
    const found = someOf(SUBSETS, 'subsets of parts and operations').flatMap((names) =>
      lies(planCopy(RENAMED_HOUSE, names)).map((lie): [string, readonly string[]] => [lie, names]),
    );
    // Each once, with the last of the copies that say so.
    expect([...new Map(found)]).toEqual([]);
  },
);
