/**
 * `node .ci/copy-service.ts FOLDER --name order` makes a service of your own: a copy with plants and their examples renamed
 * (docs/your-own.md). `--without tools,lab,client` leaves folders out, and what package.json, the configuration and the handbook say of
 * them. Prints the other lines that speak of what the copy lacks: those are for a person to edit.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { renamer } from './rename.ts';

const ROOT = path.join(import.meta.dirname, '..');
/** What serves the copy. */
const ONLY_HERE = /^(?:\.ci\/(?:copy-service\.ts|rename\.ts|service-alone)|docs\/your-own\.md)$/;
/** What can be left out: a folder with its documents. The workflows run tools/. What the rest imports of them stays. */
const PARTS: Readonly<Record<string, RegExp>> = {
  tools: /^(?:tools|\.github|\.ci)\/|^docs\/(?:github-workflow|import)\.md$/,
  lab: /^(?:lab\/|\.cfnlintrc\.yaml$)|^docs\/reliability\.md$/,
  client: /^client\/|^docs\/clients\.md$/,
};
/** Documents that are true of the copy as they are: each paragraph, item of a list and row that names what is left out goes. */
const HANDBOOK = /^(?:CONTRIBUTING|docs\/commands)\.md$/;
/** Packages that package.json's scripts and vitest use by another name. */
const USED_BY_OTHERS = /^(?:@types\/|@vitest\/|@biomejs\/|@redocly\/|aws-cdk$|typescript$)/;
/** Our version, where it is not a package's. The copy begins anew. */
const VERSION = /(?<!After |[\d.^=])1\.0\.0\b/g;

process.on('uncaughtException', ({ message }) => {
  console.error(message);
  console.error(
    'Usage: .ci/copy-service.ts FOLDER --name order [--plural orders] [--example "Order 1" --example "Order 2"] [--without tools,lab,client]',
  );
  process.exit(2);
});
const text = { type: 'string' } as const;
const options = { name: text, plural: text, without: text, example: { ...text, multiple: true } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const { name = '', plural = `${name}s`, without } = values;
const title = name.slice(0, 1).toUpperCase() + name.slice(1);
const [first = `${title} 1`, second = `${first} B`] = values.example ?? [];
const [folder = '', ...others] = positionals;
const left = without?.split(',').map((each) => PARTS[each]) ?? [];
if (!/^[^-]/.test(folder) || others.length > 0 || fs.lstatSync(folder, { throwIfNoEntry: false }))
  throw new Error('There is one folder, which must not exist yet.');
if (![name, plural].every((each) => /^[a-z]{2,20}$/.test(each)) || name === plural)
  throw new Error('A name is one word of lower-case letters, and its plural another one.');
if (![first, second].every((each) => /^[A-Z][A-Za-z0-9 ]{1,29}$/.test(each)) || first === second)
  throw new Error('Two examples begin with a capital letter, have letters, digits and spaces, and differ.');
if (left.includes(undefined)) throw new Error(`--without has some of ${Object.keys(PARTS)}.`);

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => fs.statSync(path.join(ROOT, file), { throwIfNoEntry: false })?.isFile());
const isLeftOut = (file: string) => ONLY_HERE.test(file) || left.some((part) => part?.test(file));
const kept = new Set(tracked.filter((file) => !isLeftOut(file)));
// The set grows meanwhile, by what is imported.
for (const file of kept)
  for (const [, specifier = ''] of file.endsWith('.ts') ? read(file).matchAll(/ from '(\.[^']+)'/g) : []) {
    const imported = path.posix.join(path.posix.dirname(file), specifier);
    if (isLeftOut(imported)) kept.add(imported);
  }
const rename = renamer(name, plural, [first, second, title]);
const files = [...kept].map(copyFile);
/** The paths that the copy lacks, and each folder of which nothing is left. */
const lacking = new Set(
  tracked
    .filter((file) => !kept.has(file))
    .flatMap((file) => file.split('/').map((_, n, names) => rename(names.slice(0, n + 1).join('/'))))
    .filter((file) => !fs.existsSync(path.join(folder, file))),
);
const lacksScript = new RegExp(`npm run (?:${leaveOutOfPackage().join('|') || '(?!)'})\\b`);
leaveOutOfConfiguration();
const toEdit = files.filter((file) => file.endsWith('.md')).flatMap(leaveOutParts);
refuseWhatDoesNotCompile();
console.info(`${files.length} files in ${folder}.`);
if (toEdit.length > 0)
  console.info(`To edit by hand: lines that speak of what was left out.\n${toEdit.join('\n')}`);

function read(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), 'utf8');
}

/** Copies a file with its name and its text renamed. @returns its path in the copy */
function copyFile(file: string): string {
  const renamed = rename(file);
  const target = path.join(folder, renamed);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const content = rename(read(file));
  fs.writeFileSync(target, file.endsWith('lock.json') ? content : content.replaceAll(VERSION, '0.1.0'));
  fs.chmodSync(target, fs.statSync(path.join(ROOT, file)).mode);
  return renamed;
}

/** Whether a text names a path that the copy lacks, or one in such a folder, from the root or from its own file. */
function names(text: string, file = ''): boolean {
  const found = text.replaceAll('../../actions/', '.github/').match(/[\w.*-]*[/.][\w./*-]*/g) ?? [];
  const isLacking = (each: string): boolean =>
    each.length > 1 && (lacking.has(each) || isLacking(path.posix.dirname(each)));
  return found.some((each) =>
    ['', path.posix.dirname(file)].some((from) =>
      isLacking(path.posix.join(from, each, '.').replace(/^\/|\/$/g, '')),
    ),
  );
}

function leaveOutOfConfiguration(): void {
  const stays = (each: string) => !names(`${each}/`);
  changeJson('tsconfig.json', (content) => ({
    ...content,
    include: content.include.filter(stays),
    exclude: content.exclude.filter(stays),
  }));
  // What stays of it is tested by what uses it.
  if (left.includes(PARTS.client))
    change('vitest.config.ts', (text) => text.replace(", 'client/src/**'", ''));
  for (const file of files.filter((each) => /^\.(?:ci|github)\//.test(each)))
    for (const part of [
      /, [^,\]\n]+| && (?:(?! &&|;).)+|^ *- run: .*\n/gm,
      /^ {2}- package-ecosystem.*\n(?: {4}.*\n)+/gm,
    ])
      change(file, (text) =>
        text.replaceAll(part, (each) => (names(each) || lacksScript.test(each) ? '' : each)),
      );
  change('CHANGELOG.md', (text) => text.replace(/^## [\s\S]*/m, '## [0.1.0] - unreleased\n'));
}

/** Leaves the workspaces, the scripts and the packages out. @returns the names of the scripts */
function leaveOutOfPackage(): string[] {
  const sources = files.filter((file) => /\.(?:ts|mjs)$/.test(file));
  const text = sources.map((file) => fs.readFileSync(path.join(folder, file), 'utf8')).join('\n');
  const isUsed = (name: string) => USED_BY_OTHERS.test(name) || new RegExp(`['\`]${name}['\`/]`).test(text);
  const gone: string[] = [];
  changeJson('package.json', (content) => {
    const { workspaces, scripts, devDependencies } = content;
    const parts = Object.entries<string>(scripts).map(
      ([name, script]) =>
        [
          name,
          script
            .split(' && ')
            .filter((part) => !names(part))
            .join(' && '),
        ] as const,
    );
    gone.push(...parts.filter(([, script]) => script === '').map(([name]) => name));
    return {
      ...content,
      workspaces: workspaces.filter((each: string) => !names(`${each}/package.json`)),
      scripts: Object.fromEntries(parts.filter(([, script]) => script !== '')),
      devDependencies: Object.fromEntries(Object.entries(devDependencies).filter(([name]) => isUsed(name))),
    };
  });
  return gone;
}

/** Leaves out the parts of the handbook and of the README that name what is left out. @returns the other such lines */
function leaveOutParts(file: string): string[] {
  const isGone = (text: string) => lacksScript.test(text) || names(text, file);
  let rest: string[] = [];
  change(file, (text) => {
    const edited = HANDBOOK.test(file)
      ? handbook(text, isGone)
      : file === 'README.md'
        ? readme(text, isGone)
        : text;
    rest = edited.split('\n').flatMap((line, n) => (isGone(line) ? `${file}:${n + 1}: ${line.trim()}` : []));
    return withoutLinks(edited, file);
  });
  return rest;
}

/** A part of the handbook begins after an empty line, or is a row, an item of a list or a heading. */
function handbook(text: string, isGone: (part: string) => boolean): string {
  const parts = text.split(/\n(?=\n|\||- |\d+\. |#)/).filter((part) => !isGone(part));
  // A section of which nothing is left goes, too. Lists are numbered anew.
  let last = 0;
  return parts
    .join('\n')
    .replaceAll(/^## .+\n+(?=## |(?![\s\S]))/gm, '')
    .replaceAll(/^(?:\d+\.|[^\s\d])/gm, (start) => {
      last = /\d/.test(start) ? last + 1 : 0;
      return last === 0 ? start : `${last}.`;
    });
}

/** Of the README go diagrams, rows, links, pictures and commands. */
function readme(text: string, isGone: (part: string) => boolean): string {
  return text
    .replaceAll(/^```mermaid\n[^`]*```\n\n|^(?:[|[!]|npm ).*\n/gm, (part) => (isGone(part) ? '' : part))
    .replaceAll(/\n{3,}/g, '\n\n');
}

/** Makes plain text of each link to a file that the copy does not have. */
function withoutLinks(text: string, file: string): string {
  const isThere = (target: string) => fs.existsSync(path.join(folder, path.dirname(file), target));
  return text.replaceAll(
    /\[([^\][]+)\]\((?!https?:|mailto:|\.\.\/\.\.\/actions)([^)#\s]+)[^)\s]*\)/g,
    (link, words, target) => (isThere(target) ? link : words),
  );
}

/** A name that the code uses for something else: the compiler finds it. The copy goes again. */
function refuseWhatDoesNotCompile(): void {
  const modules = path.join(folder, 'node_modules');
  fs.symlinkSync(path.join(ROOT, 'node_modules'), modules, 'junction');
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler], { cwd: folder, encoding: 'utf8' });
  fs.rmSync(modules);
  if (status === 0) return;
  fs.rmSync(folder, { recursive: true });
  throw new Error(
    `The code cannot be about "${name}", "${plural}":\n${stdout.split('\n').slice(0, 3).join('\n')}`,
  );
}

/** Changes a file of the copy. */
function change(file: string, edit: (text: string) => string): void {
  const target = path.join(folder, file);
  fs.writeFileSync(target, edit(fs.readFileSync(target, 'utf8')));
}

// biome-ignore lint/suspicious/noExplicitAny: files of JSON have no types.
function changeJson(file: string, edit: (content: any) => object): void {
  change(file, (text) => `${JSON.stringify(edit(JSON.parse(text)), null, 2)}\n`);
}
