/**
 * `node .ci/copy-service.ts FOLDER` copies the service alone: without tools/, lab/ and client/, and without what package.json, the
 * configuration and the documents say of them. Prints which documents still speak of them: those are for a person to edit.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const ROOT = path.join(import.meta.dirname, '..');
/** What serves the service and is not part of it, with its documents. The workflows run it, so a copy gets a CI of its own. */
const LEFT_OUT = /^(?:(?:tools|lab|client|\.github|\.ci)\/|docs\/(?:clients|import)\.md$)/;
/** A path in a folder that is left out, a pattern of such paths, the folder itself, or a link to its document. */
const NAMES_IT = /(?:^|[\s"'`(/])(?:\.ci|tools|lab|client)(?:[/"'`]|$)|\((?:docs\/)?(?:clients|import)\.md/;
/** Packages that package.json's scripts and vitest use by another name. */
const USED_BY_OTHERS = /^(?:@types\/|@vitest\/|@biomejs\/|@redocly\/|aws-cdk$|typescript$)/;

const [folder = ''] = process.argv.slice(2);
if (folder === '' || existsSync(folder)) {
  console.error('Usage: node .ci/copy-service.ts FOLDER. The folder must not exist yet.');
  process.exit(2);
}

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
const files = tracked.filter(
  (file) => file !== '' && !LEFT_OUT.test(file) && existsSync(path.join(ROOT, file)),
);
for (const file of files) cpSync(path.join(ROOT, file), path.join(folder, file));

const gone = leaveOutOfPackage();
changeJson('tsconfig.json', ({ include, exclude: _, ...others }) => ({
  ...others,
  include: include.filter((each: string) => !NAMES_IT.test(each)),
}));
change('vitest.config.ts', (text) => text.replace(", 'client/src/**'", ''));
const left = files.filter((file) => file.endsWith('.md')).flatMap(leaveOutRows);
if (left.length > 0)
  console.info(`To edit by hand, with the lines that speak of what was left out:\n${left.join('\n')}`);

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

/** Leaves out the rows of the README's and CONTRIBUTING's tables that name what is left out. @returns the file, if other lines do */
function leaveOutRows(file: string): string[] {
  const names = new RegExp(`npm run (?:${gone.join('|')})\\b|${NAMES_IT.source}`);
  const isRow = (line: string) => /^(?:README|CONTRIBUTING)\.md$/.test(file) && line.startsWith('|');
  let count = 0;
  change(file, (text) => {
    const others = text.split('\n').filter((line) => !(isRow(line) && names.test(line)));
    count = others.filter((line) => names.test(line)).length;
    return others.join('\n');
  });
  return count === 0 ? [] : [`${file}: ${count}`];
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
