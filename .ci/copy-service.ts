/**
 * `node .ci/copy-service.ts FOLDER --name order` makes a service of your own: a copy without tools/, lab/ and client/, and without what
 * package.json, the configuration and the handbook say of them, with plants renamed (docs/your-own.md). `--whole` leaves nothing out
 * but what serves the copy itself. Prints which documents still speak of what was left out: those are for a person to edit.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { renamer } from './rename.ts';

const ROOT = path.join(import.meta.dirname, '..');
/** What serves the copy. */
const ONLY_HERE = /^(?:\.ci\/(?:copy-service\.ts|rename\.ts|service-alone)|docs\/your-own\.md)$/;
/** What serves the service and is not part of it, with its documents. The workflows run it, so a copy gets a CI of its own. */
const NOT_THE_SERVICE =
  /^(?:(?:tools|lab|client|\.github|\.ci)\/|\.cfnlintrc\.yaml$|docs\/(?:clients|github-workflow|import)\.md$)/;
/** What only the copy does not have: a path, or a link to a document. */
const NAMES_COPY = /\.ci\/(?:copy-service|rename|service-alone)|\((?:docs\/)?your-own\.md/;
/** A path in a folder that is left out, a pattern of such paths, the folder itself, or a link to its document. */
const NAMES_IT =
  /(?:^|[\s"'`(/])(?:\.ci|\.github|tools|lab|client)(?:[/"'`]|$)|actions\/workflows|\((?:docs\/)?(?:clients|github-workflow|import|your-own)\.md/;
/** Documents that are true of the copy as they are: each paragraph, item of a list and row that names what is left out goes. */
const HANDBOOK = /^(?:CONTRIBUTING|docs\/commands)\.md$/;
/** Packages that package.json's scripts and vitest use by another name. */
const USED_BY_OTHERS = /^(?:@types\/|@vitest\/|@biomejs\/|@redocly\/|aws-cdk$|typescript$)/;

process.on('uncaughtException', ({ message }) => {
  console.error(`${message}\nUsage: .ci/copy-service.ts FOLDER [--name order [--plural orders]] [--whole]`);
  process.exit(2);
});
const options = { name: { type: 'string' }, plural: { type: 'string' }, whole: { type: 'boolean' } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const { name = 'plant', plural = `${name}s`, whole = false } = values;
const [folder = '', ...others] = positionals;
const isNew = /^[^-]/.test(folder) && !lstatSync(folder, { throwIfNoEntry: false });
if (!isNew || others.length > 0 || ![name, plural].every((each) => /^[a-z]{2,20}$/.test(each)))
  throw new Error('The folder must not exist yet; a name is one word of lower-case letters.');

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
const rename = renamer(name, plural);
const files = tracked
  .filter((file) => statSync(path.join(ROOT, file), { throwIfNoEntry: false })?.isFile())
  .filter((file) => !ONLY_HERE.test(file) && (whole || !NOT_THE_SERVICE.test(file)))
  .map(copyFile);

const names = whole ? NAMES_COPY : leaveOutFolders();
if (whole) leaveOutTheProof();
const documents = files.filter((file) => file.endsWith('.md'));
const left = documents.flatMap(leaveOutParts);
documents.forEach(leaveOutLinks);
console.info(`${files.length} files in ${folder}.`);
if (left.length > 0)
  console.info(`To edit by hand: lines that speak of what was left out.\n${left.join('\n')}`);

/** Copies a file with its name and its text renamed. @returns its path in the copy */
function copyFile(file: string): string {
  const renamed = rename(file);
  const target = path.join(folder, renamed);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, rename(readFileSync(path.join(ROOT, file), 'utf8')));
  chmodSync(target, statSync(path.join(ROOT, file)).mode);
  return renamed;
}

/** The workflow and `.ci/run` prove that the service stands without the other folders: a copy need not. */
function leaveOutTheProof(): void {
  change('.ci/run', (text) => text.replace(' && EXHAUSTIVE=0 .ci/service-alone', ''));
  change('.github/workflows/ci.yml', (text) => text.replace('      - run: .ci/service-alone\n', ''));
}

/** Leaves tools/, lab/ and client/ out of the configuration. @returns what names them */
function leaveOutFolders(): RegExp {
  const gone = leaveOutOfPackage();
  changeJson('tsconfig.json', ({ include, exclude: _, ...others }) => ({
    ...others,
    include: include.filter((each: string) => !NAMES_IT.test(each)),
  }));
  change('vitest.config.ts', (text) => text.replace(", 'client/src/**'", ''));
  return new RegExp(`npm run (?:${gone.join('|')})\\b|${NAMES_IT.source}`);
}

/** Leaves the workspaces, the scripts and the packages out. @returns the names of the scripts */
function leaveOutOfPackage(): string[] {
  const sources = files.filter((file) => /\.(?:ts|mjs)$/.test(file));
  const text = sources.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  const isUsed = (name: string) => USED_BY_OTHERS.test(name) || new RegExp(`['\`]${name}['\`/]`).test(text);
  const names: string[] = [];
  changeJson('package.json', ({ workspaces: _, scripts, devDependencies, ...others }) => {
    const parts = Object.entries<string>(scripts).map(
      ([name, script]) => [name, withoutParts(script)] as const,
    );
    names.push(...parts.filter(([, script]) => script === '').map(([name]) => name));
    return {
      ...others,
      scripts: Object.fromEntries(parts.filter(([, script]) => script !== '')),
      devDependencies: Object.fromEntries(Object.entries(devDependencies).filter(([name]) => isUsed(name))),
    };
  });
  return names;
}

/** The parts of a script that name no folder that is left out. */
function withoutParts(script: string): string {
  const parts = script.split(' && ').filter((part) => !NAMES_IT.test(part) && !/ client$/.test(part));
  return parts.join(' && ');
}

/** Leaves out the parts of the handbook and of the README that name what is left out. @returns the file, if other lines do */
function leaveOutParts(file: string): string[] {
  let lines: number[] = [];
  change(file, (text) => {
    let rest = text;
    if (HANDBOOK.test(file)) rest = handbookWithout(text);
    if (file === 'README.md') rest = readmeWithout(text);
    lines = rest.split('\n').flatMap((line, index) => (names.test(line) ? index + 1 : []));
    return rest;
  });
  return lines.length === 0 ? [] : [`${file}: ${lines.join(', ')}`];
}

/** A part of the handbook begins after an empty line, or is a row, an item of a list or a heading. */
function handbookWithout(text: string): string {
  const parts = text.split(/\n(?=\n|\||- |\d+\. |#)/).filter((part) => !names.test(part));
  // A section of which nothing is left goes, too.
  return numbered(parts.join('\n').replaceAll(/^## .+\n+(?=## |(?![\s\S]))/gm, ''));
}

/** Numbers the items of each list anew. */
function numbered(text: string): string {
  let last = 0;
  return text.replaceAll(/^(?:\d+\.|[^\s\d])/gm, (start) => {
    last = /\d/.test(start) ? last + 1 : 0;
    return last === 0 ? start : `${last}.`;
  });
}

/** Of the README go diagrams, rows, links, badges and commands. */
function readmeWithout(text: string): string {
  const isRow = (line: string) => /^(?:[|[!]|npm )/.test(line);
  return text
    .replaceAll(/^```mermaid\n[^`]*```\n\n/gm, (diagram) => (names.test(diagram) ? '' : diagram))
    .split('\n')
    .filter((line) => !(isRow(line) && names.test(line)))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}

/** Makes plain text of each link to a file that the copy does not have. */
function leaveOutLinks(file: string): void {
  const isThere = (target: string) => existsSync(path.join(folder, path.dirname(file), target));
  change(file, (text) =>
    text.replaceAll(
      /\[([^\][]+)\]\((?!https?:|mailto:|\.\.\/\.\.\/actions)([^)#\s]+)[^)\s]*\)/g,
      (link, words, target) => (isThere(target) ? link : words),
    ),
  );
}

/** Changes a file of the copy. */
function change(file: string, edit: (text: string) => string): void {
  const target = path.join(folder, file);
  writeFileSync(target, edit(readFileSync(target, 'utf8')));
}

// biome-ignore lint/suspicious/noExplicitAny: files of JSON have no types.
function changeJson(file: string, edit: (content: any) => object): void {
  change(file, (text) => `${JSON.stringify(edit(JSON.parse(text)), null, 2)}\n`);
}
