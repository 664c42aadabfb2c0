import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '..');
/** What serves the copy. */
const ONLY_HERE = /^(?:\.ci\/(?:copy-service|leave-out|rename|service-alone)|docs\/your-own\.md$)/;
/** What can be left out: a folder with its documents. The workflows run commands/. */
export const PARTS: Readonly<Record<string, RegExp>> = {
  tools: /^(?:tools|\.github|\.ci)\/|^docs\/(?:github-workflow|import)\.md$/,
  lab: /^(?:lab\/|\.cfnlintrc\.yaml$)|^docs\/evidence\.md$/,
  client: /^client\/|^docs\/clients\.md$/,
};
/** Whole parts of these documents go: a row, an item of a list, a badge; but no step of a procedure, and no paragraph. */
const DOCUMENTS = /^(?:CONTRIBUTING|README|docs\/commands)\.md$/;
const OF_DOCUMENTS = /^(?:\||- |\[!).*\n(?: {2}.*\n)*/gm;
/** And these parts of configuration: an entry of a list, a command, a step of a workflow, a script, the updates of Python. */
const CONFIGURATION = /^\.(?:ci|github)\//;
const OF_CONFIGURATION =
  /, [^,\]\n]+| && (?:(?! &&|[;"]).)+|^ *(?:- run: |"\w+": "node ).*\n|^ *- package-ecosystem: pip\n(?: {4}.*\n)+/gm;

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** The files that a copy keeps, and their texts without what speaks of the others. */
export class Remainder {
  readonly files: ReadonlySet<string>;
  /** What the copy lacks: paths, also of folders, and scripts as `npm run lab`. */
  readonly #lacking: Set<string>;

  constructor(all: readonly string[], parts: readonly string[]) {
    const left = [ONLY_HERE, ...parts.map((part) => PARTS[part])];
    const files = new Set(all.filter((file) => !left.some((each) => each?.test(file))));
    // What the rest imports stays, too: the set grows meanwhile.
    for (const file of files)
      for (const [, specifier] of read(file).matchAll(/ from '(\.[^']+)'/g)) {
        const imported = path.posix.join(path.posix.dirname(file), `${specifier}`);
        if (all.includes(imported)) files.add(imported);
      }
    const withFolders = (file: string) =>
      file.split('/').map((_, n, names) => names.slice(0, n + 1).join('/'));
    const kept = new Set([...files].flatMap(withFolders));
    this.files = files;
    this.#lacking = new Set(all.flatMap(withFolders).filter((each) => !kept.has(each)));
    for (const [name, script] of Object.entries<string>(JSON.parse(read('package.json')).scripts))
      if (script.startsWith('node ') && this.isAboutOthers(script)) this.#lacking.add(`npm run ${name}`);
  }

  /** Whether a text names a script that the copy lacks, or a path, from the root or from the folder of the file. */
  isAboutOthers(text: string, file = ''): boolean {
    // From the README, GitHub resolves `actions` to the page of the workflow.
    const plain = text.replaceAll('../../actions/', '.github/').replaceAll('npm run -s', 'npm run');
    const found = plain.match(/npm run \w+|[\w.-]*[/.][\w./-]*/g) ?? [];
    return ['', path.posix.dirname(file)].some((from) =>
      found.some((each) => this.#lacking.has(path.posix.join(from, each).replaceAll(/^\/|[/.]+$/g, ''))),
    );
  }

  /** The text of a file, as the copy has it. */
  edited(file: string): string {
    const text = read(file);
    const without = (part: RegExp) =>
      text.replaceAll(part, (found) => (this.isAboutOthers(found, file) ? '' : found));
    if (file === 'CHANGELOG.md') return text.replace(/^## [\s\S]*/m, '## [0.1.0] - unreleased\n');
    // What stays of the client is tested by what uses it.
    if (file === 'vitest.config.ts' && this.#lacking.has('docs/clients.md'))
      return text.replace(", 'client/src/**'", '');
    if (file === 'package.json') return this.#package(JSON.parse(without(OF_CONFIGURATION)));
    if (CONFIGURATION.test(file)) return without(OF_CONFIGURATION);
    return DOCUMENTS.test(file) ? without(OF_DOCUMENTS) : text;
  }

  #package(content: { workspaces?: string[]; devDependencies: Record<string, string> }): string {
    const use = (files: ReadonlySet<string>, name: string) =>
      [...files].some((file) => file.endsWith('.ts') && read(file).includes(` from '${name}`));
    const workspaces = content.workspaces?.filter((each) => !this.#lacking.has(`${each}/package.json`));
    // npm refuses an empty list.
    content.workspaces = workspaces?.length ? workspaces : undefined;
    // The compiler is a command, too.
    for (const name of Object.keys(content.devDependencies).filter((each) => each !== 'typescript'))
      if (use(this.#lacking, name) && !use(this.files, name)) delete content.devDependencies[name];
    return `${JSON.stringify(content, null, 2)}\n`;
  }

  /** Makes plain text of each link to a file that the copy does not have. */
  withoutLinks(text: string, file: string): string {
    return text.replaceAll(/\[([^\][]+)\]\(([^)\s]+)\)/g, (link, words, target) =>
      this.isAboutOthers(target, file) ? words : link,
    );
  }
}
