/** What a copy has: the house without the parts that it lacks, and with its operations; and how one of them is added later. */
import { PlainError } from '../../cli/plain-error.ts';
import { CONTRACT } from '../../commands/generate/contract-value.ts';
import { withJson, withoutJson, withYaml } from './data.ts';
import { hunksOf, withHunk } from './difference.ts';
import { withImports, withLines, withoutImports, withoutLines } from './lists.ts';
import { type Manifest, nameIn, type Rule, readManifest, type Tree } from './manifest.ts';
import { propertiesOf } from './model.ts';

/** What no copy has. It is no part: none can ask for it. */
const HOUSE = '.ci/copy/house.yaml';

/** The parts by name, then the operations in their order. */
export function manifestsOf(house: Tree): readonly Manifest[] {
  return readOnce(house).all;
}

interface Manifests {
  readonly all: readonly Manifest[];
  /** What no copy has. */
  readonly house: readonly Manifest[];
}

/** They are asked for with each plan of a house. */
const read = new WeakMap<Tree, Manifests>();

function readOnce(house: Tree): Manifests {
  const manifests = read.get(house) ?? readManifests(house);
  read.set(house, manifests);
  return manifests;
}

function readManifests(house: Tree): Manifests {
  const readAll = (isWanted: (file: string) => boolean) =>
    [...house].filter(([file]) => isWanted(file)).map(([file, text]) => readManifest(file, text));
  const all = readAll((file) => nameIn(file) !== undefined).sort(
    (a, b) =>
      Number(a.isOperation) - Number(b.isOperation) || a.order - b.order || (a.name < b.name ? -1 : 1),
  );
  return { all, house: readAll((file) => file === HOUSE) };
}

/**
 * The named parts and operations, and those that they need, in the order of all.
 * @throws PlainError that lists what there is, if there is none of a name
 */
export function choose(all: readonly Manifest[], names: readonly string[]): Manifest[] {
  const chosen = new Set<string>();
  const add = (name: string, by: string) => {
    const manifest = all.find((each) => each.name === name);
    if (!manifest)
      throw new PlainError(
        `There is no part or operation ${name}${by}. There are: ${all.map((each) => each.name).join(', ')}.`,
      );
    if (chosen.has(name)) return;
    chosen.add(name);
    for (const needed of manifest.needs) add(needed, `, which ${manifest.file} needs`);
  };
  for (const name of names) add(name, '');
  return all.filter((each) => chosen.has(each.name));
}

/**
 * The files of a copy that has what is named.
 * @throws PlainError with a line for each rule that matches nothing
 */
export function planCopy(house: Tree, names: readonly string[]): Map<string, string> {
  const all = manifestsOf(house);
  const wanted = choose(all, names);
  const rulesOf = (manifests: readonly Manifest[]) => manifests.flatMap(({ rules }) => rules.map(keyOf));
  const kept = new Set(rulesOf(wanted));
  const unwanted = [
    ...all.filter((each) => !each.isOperation && !wanted.includes(each)),
    ...readOnce(house).house,
  ];
  const rules = new Map<string, Change>();
  for (const { file, rules: all } of unwanted)
    for (const rule of all) if (!kept.has(keyOf(rule))) rules.set(keyOf(rule), removal(file, rule));
  const changes = [...rules.values()];
  const files = changes.filter((each) => each.tree);
  // First the lines, also of files that go with another part.
  const rest = applied(house, [...changes.filter((each) => !each.tree), ...files]);
  for (const file of rest.keys()) if (/^(?:operations|\.ci\/copy)\//.test(file)) rest.delete(file);
  return planAddition(
    rest,
    house,
    rest,
    wanted.filter((each) => each.isOperation),
  );
}

/**
 * The files of a copy after adding to it what it lacks.
 * @param copy its files now
 * @param before what it has
 * @param later what it has then, with all that this needs
 */
export function planLater(
  copy: Tree,
  house: Tree,
  before: readonly string[],
  later: readonly string[],
): Map<string, string> {
  const added = manifestsOf(house).filter(({ name }) => later.includes(name) && !before.includes(name));
  return planAddition(copy, house, planCopy(house, later), added);
}

/**
 * The files of a copy after adding parts and operations to it.
 * @param copy its files now
 * @param house this repository, and `pristine` a copy as made with the parts; both with the names of the copy
 * @throws PlainError with a line for each rule that does not apply
 */
export function planAddition(
  copy: Tree,
  house: Tree,
  pristine: Tree,
  added: readonly Manifest[],
): Map<string, string> {
  const properties = propertiesOf(copy.get(CONTRACT) ?? '');
  const taken = added.flatMap(({ file, reserves }) =>
    reserves
      .filter((name) => properties.has(name))
      .map(
        (name) =>
          `${CONTRACT}:${properties.get(name)?.line}: ${file} keeps the name ${name} for itself; rename the property.`,
      ),
  );
  if (taken.length > 0) throw new PlainError(taken.join('\n'));
  const changes = added.flatMap(({ file: manifest, isOperation, rules }) => {
    const folder = manifest.replace(/[^/]*$/, 'files/');
    const files = isOperation ? [...house].filter(([file]) => file.startsWith(folder)) : [];
    return [
      ...files.map(([file, text]) => newFile(`${manifest}:1`, file.slice(folder.length), text)),
      ...rules.flatMap((rule) => additions(manifest, rule, house, pristine)),
    ];
  });
  // What belongs to a part that the copy lacks stays away with it.
  return applied(
    copy,
    changes.filter(({ file }) => !house.has(file) || pristine.has(file)),
  );
}

const keyOf = ({ line: _, ...rule }: Rule) => JSON.stringify(rule);

/** A change of one text, or of the files of a path, and what is wrong where it is undefined. */
interface Change {
  /** Where it is written. */
  readonly at: string;
  readonly file: string;
  readonly problem: string;
  /** A number is that of the line at which the problem is. */
  readonly text?: (text: string) => string | number | undefined;
  readonly tree?: (tree: Tree) => Tree | undefined;
}

/** @throws PlainError with a line for each change that does not apply */
function applied(tree: Tree, changes: readonly Change[]): Map<string, string> {
  let result = new Map(tree);
  const problems: string[] = [];
  for (const change of changes) {
    const text = result.get(change.file);
    const changed = change.text && text !== undefined ? change.text(text) : undefined;
    const next = change.tree ? change.tree(result) : changed;
    if (change.text && text === undefined) problems.push(`${change.at}: there is no file ${change.file}`);
    else if (next === undefined) problems.push(`${change.at}: ${change.file} ${change.problem}`);
    else if (typeof next === 'number')
      problems.push(`${change.at}: ${change.file}:${next} ${change.problem}`);
    else if (typeof next === 'string') result.set(change.file, next);
    else result = new Map(next);
  }
  if (problems.length > 0) throw new PlainError(problems.join('\n'));
  return result;
}

/** How a rule of a part is undone. */
function removal(manifest: string, rule: Rule): Change {
  const { file } = rule;
  const at = `${manifest}:${rule.line}`;
  switch (rule.kind) {
    case 'lines': {
      const problem = `has no list "${rule.list}" with these lines:\n${rule.text.trimEnd()}`;
      return { at, file, problem, text: (text) => withoutLines(text, rule.list, rule.text) };
    }
    case 'imports':
      return { at, file, problem: 'lacks an import', text: (text) => withoutImports(text, rule.text) };
    case 'json':
      return {
        at,
        file,
        problem: `lacks ${JSON.stringify(rule.value)}`,
        text: (text) => withoutJson(text, rule.value),
      };
    default:
      return {
        at,
        file,
        problem: 'does not exist',
        tree(tree) {
          const files = filesOf(tree, file);
          return files.length === 0
            ? undefined
            : new Map([...tree].filter(([each]) => !files.includes(each)));
        },
      };
  }
}

const newFile = (at: string, file: string, text: string): Change => ({
  at,
  file,
  problem: 'exists, and has another text',
  tree: (tree) => ((tree.get(file) ?? text) === text ? new Map(tree).set(file, text) : undefined),
});

function additions(manifest: string, rule: Rule, house: Tree, pristine: Tree): Change[] {
  const { file } = rule;
  const at = `${manifest}:${rule.line}`;
  const reference = pristine.get(file);
  switch (rule.kind) {
    case 'file':
      return filesOf(pristine, file).map((each) => newFile(at, each, pristine.get(each) ?? ''));
    case 'lines': {
      const problem = `has no single list "${rule.list}", for:\n${rule.text.trimEnd()}`;
      return [{ at, file, problem, text: (text) => withLines(text, rule.list, rule.text, reference ?? '') }];
    }
    case 'imports':
      return [{ at, file, problem: 'cannot import that', text: (text) => withImports(text, rule.text) }];
    case 'json': {
      const problem = `has another value than ${JSON.stringify(rule.value)}`;
      return [{ at, file, problem, text: (text) => withJson(text, rule.value, reference ?? '{}') }];
    }
    case 'merge': {
      const fragment = house.get(rule.source) ?? '';
      const problem = `has another value than ${rule.source}`;
      return [{ at, file, problem, text: (text) => withYaml(text, fragment, reference ?? '') }];
    }
    case 'patch': {
      const hunks = hunksOf(house.get(rule.source) ?? '');
      if (hunks.length === 0)
        return [{ at, file, problem: `${rule.source} has no hunk`, tree: () => undefined }];
      return hunks.map((hunk) => ({
        at: `${rule.source}:${hunk.line}`,
        file: hunk.file,
        problem: `does not have these lines once:\n${hunk.before.trimEnd()}`,
        text: (text) => withHunk(text, hunk),
      }));
    }
  }
}

/** The file of a path, or those of a folder. */
const filesOf = (tree: Tree, path: string) =>
  [...tree.keys()].filter((file) => file === path || file.startsWith(path.replace(/\/?$/, '/')));
