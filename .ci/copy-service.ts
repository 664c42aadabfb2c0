/**
 * `node .ci/copy-service.ts FOLDER --name order` makes a service of your own: a copy, with plants renamed (docs/your-own.md). With `--add`, it
 * adds a part or an operation to a copy that exists.
 */
import * as fs from 'node:fs';
import path from 'node:path';
import { columns, runCommand, UsageError } from '../cli/command-line.ts';
import { PlainError } from '../cli/plain-error.ts';
import { print } from '../cli/print.ts';
import { CONTRACT } from '../commands/generate/contract-value.ts';
import { compilerErrors, compilerErrorsOf, runIn } from './copy/compile.ts';
import { withListBy } from './copy/list-property.ts';
import type { Manifest, Tree } from './copy/manifest.ts';
import { choose, manifestsOf, planCopy, planLater } from './copy/plan.ts';
import { type CopyRecord, commitOf, readRecord, renamed, writeRecord } from './copy/record.ts';
import { withTextKey } from './copy/text-key.ts';
import { readTree, writeTree } from './copy/tree.ts';
import { CHOOSE, namesOf } from './copy-names.ts';

const ROOT = path.join(import.meta.dirname, '..');
const HOUSE = readTree(ROOT);
const PARTS = manifestsOf(HOUSE);

/** What npm says of itself to the programs that it starts; npm before 11.11 takes the C libraries of packages out of the lock file. */
const [, major = 11, minor = 11] = /^npm\/(\d+)\.(\d+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
const NPM = Number(major) * 100 + Number(minor) < 1111 ? 'npx -y npm@11' : 'npm';
const INSTALL = `${NPM} install --ignore-scripts && npm rebuild --ignore-scripts`;

await runCommand({
  usage: `npx node .ci/copy-service.ts FOLDER --name order [--plural P] [--example E]... [--key ID] [--with NAME,…]
npx node .ci/copy-service.ts FOLDER [--add NAME,…]`,
  about:
    'Copies the service to a new folder, as one of what you store; or adds to a copy what it lacks, and without --add lists that.',
  operands: true,
  options: {
    name: { value: 'order', about: 'what you store: one word of lower-case letters' },
    plural: { value: 'orders', about: 'unless the name takes an s' },
    example: { value: '"Order 1"', about: 'a name for the examples; given twice, two', repeatable: true },
    key: {
      value: 'ORD-00012345',
      about: 'make ids texts like this one, which ends with eight digits or more',
    },
    with: {
      value: 'NAME,…',
      about: 'what a copy lacks otherwise, or all; list=PROPERTY lists by it; repeatable',
      repeatable: true,
    },
    add: { value: 'NAME,…', about: 'add it to the copy in FOLDER; repeatable', repeatable: true },
  },
  notes: `What --with and --add name:

${listed(PARTS)}`,
  async main({ example, with: wanted = [], add, ...given }, [folder = '', ...extra]) {
    if (!folder || extra.length > 0) throw new UsageError('Name one folder.');
    const isNew = Boolean(example) || wanted.length > 0 || Object.values(given).some(Boolean);
    if (add && isNew) throw new UsageError('--add stands alone: the copy says how it is named.');
    if (add || (!isNew && fs.existsSync(folder))) {
      addTo(folder, wantedIn(add ?? []));
      return undefined;
    }
    const isInside = !path.relative(ROOT, path.resolve(folder)).startsWith('..');
    if (fs.existsSync(folder) || isInside)
      throw new UsageError('Name a folder that does not exist yet, outside of this one.');
    const { name, plural } = namesOf(given.name, given.plural);
    const title = name.slice(0, 1).toUpperCase() + name.slice(1);
    const [first = `${title} 1`, second = `${first} B`] = example ?? [];
    if (![first, second].every((each) => /^[A-Z][A-Za-z0-9 ]{1,29}$/.test(each)) || first === second)
      throw new UsageError('Examples differ, begin with a capital, and have letters, digits and spaces.');
    const { names, listBy } = wantedIn(wanted);
    const parts = chosen(names).map((each) => each.name);
    const [examples, commit, { key }] = [[first, second, title], commitOf(ROOT), given];
    copyTo(folder, { name, plural, examples, key, listBy, commit, parts });
    return undefined;
  },
});

/** Parts and operations, a line each. */
function listed(manifests: readonly Manifest[]): string {
  const rows = manifests.map(({ name, about }) => [name, about]);
  return columns(rows, 'll')
    .map((line) => `  ${line}`)
    .join('\n');
}

/** What is named, and by which property a list is. */
function wantedIn(values: readonly string[]): { names: string[]; listBy: string | undefined } {
  const words = values.flatMap((value) => value.split(',')).filter(Boolean);
  const [, listBy] = words.map((word) => /^list=(.+)$/.exec(word) ?? []).find(([word]) => word) ?? [];
  const names = words.map((word) => word.replace(/^list=.*/, 'list'));
  return { names: names.includes('all') ? PARTS.map(({ name }) => name) : names, listBy };
}

/** @throws UsageError that lists what there is, if there is none of a name */
function chosen(names: readonly string[]): Manifest[] {
  try {
    return choose(PARTS, names);
  } catch (error) {
    throw error instanceof PlainError ? new UsageError(error.message) : error;
  }
}

/** The files of this repository for a copy. @param contract of the copy, if it exists */
function houseFor(record: CopyRecord, contract?: string): Tree {
  const house = renamed(HOUSE, record);
  const { parts, listBy } = record;
  return parts.includes('list') ? withListBy(house, contract ?? house.get(CONTRACT) ?? '', listBy) : house;
}

function copyTo(folder: string, record: CopyRecord): void {
  const { name, plural, parts, key } = record;
  const planned = planCopy(houseFor(record), parts);
  const tree = key === undefined ? planned : withTextKey(planned, key, name);
  if (!tree)
    throw new UsageError(
      '--key needs an id such as ORD-00012345: a letter, then letters, digits, - and _, and at the end eight digits or more.',
    );
  writeTree(folder, tree);
  writeRecord(folder, record);
  // The sources follow the contract, to which a key and an operation add.
  if (key !== undefined || PARTS.some((each) => each.isOperation && parts.includes(each.name))) {
    const { status, stderr } = runIn(folder, 'commands/generate.ts');
    if (status !== 0) throw new PlainError(`npm run generate fails in ${folder}:\n${stderr}`);
  }
  const errors = compilerErrors(folder);
  if (errors !== undefined) {
    fs.rmSync(folder, { recursive: true });
    // With our own name, only what the compiler says of the sources themselves remains.
    const ours = compilerErrorsOf(planCopy(HOUSE, parts));
    if (ours !== undefined)
      throw new PlainError(
        `A copy with these parts does not compile, whatever its name; this is a fault of the repository:\n${ours}`,
      );
    throw new UsageError(`The code uses the name ${name} for something else; ${CHOOSE}.\n${errors}`);
  }
  print(`${tree.size + 1} files in ${folder}, for POST /${plural}: --plural sets another path. Both names are final after the first deployment.
Next:

  cd ${/^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)}
  git init
  ${INSTALL}
  npm run format && npm run check

Then docs/after-copying.md says how to make it yours.`);
}

function addTo(folder: string, { names, listBy }: ReturnType<typeof wantedIn>): void {
  const before = readRecord(folder);
  const lacks = ({ name }: Manifest) => !before.parts.includes(name);
  if (names.length === 0) {
    const more = manifestsOf(renamed(HOUSE, before)).filter(lacks);
    print(
      more.length > 0 ? `This copy can have more:\n\n${listed(more)}` : 'This copy has all that there is.',
    );
    return;
  }
  const all = chosen([...before.parts, ...names]);
  const added = all.filter(lacks);
  if (added.length === 0) throw new UsageError(`The copy has ${names.join(' and ')}.`);
  const parts = all.map(({ name }) => name);
  const record = { ...before, parts, listBy: before.listBy ?? listBy };
  const copy = readTree(folder);
  const house = houseFor(record, copy.get(CONTRACT));
  const files = writeTree(folder, planLater(copy, house, before.parts, parts), copy);
  writeRecord(folder, record);
  print(`Added ${added.map(({ name }) => name).join(' and ')}:

${files.map((file) => `  ${file}`).join('\n')}

Next:

  ${INSTALL}
  npm run generate && npm run format && npm run check`);
}
