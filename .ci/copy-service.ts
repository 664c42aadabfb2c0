/** `node .ci/copy-service.ts FOLDER --name order` makes a service of your own: a copy, with plants renamed (docs/your-own.md). */
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { runCommand, UsageError } from '../cli/command-line.ts';
import { print } from '../cli/print.ts';
import { PARTS, Remainder, ROOT } from './leave-out.ts';
import { renamer } from './rename.ts';

/** Our version, where it is not a package's. The copy begins anew. */
const VERSION = /(?<![\w.^=])1\.0\.0\b/g;

await runCommand(
  {
    usage: 'npx node .ci/copy-service.ts FOLDER --name order [--plural P] [--example E]... [--without PARTS]',
    about: 'Copies the service to a new folder, as one of what you store.',
    operands: true,
    options: {
      name: { value: 'order', about: 'what you store: one word of lower-case letters' },
      plural: { value: 'orders', about: 'unless the name takes an s' },
      example: { value: '"Order 1"', about: 'a name for the examples; given twice, two', repeatable: true },
      without: { value: 'PARTS', about: `what to leave out, some of ${Object.keys(PARTS)}` },
    },
  },
  async ({ name = '', plural = `${name}s`, example, without }, [folder = '', other]) => {
    const title = name.slice(0, 1).toUpperCase() + name.slice(1);
    const [first = `${title} 1`, second = `${first} B`] = example ?? [];
    const parts = without?.split(',') ?? [];
    if (!folder || other || fs.existsSync(folder) || !path.relative(ROOT, folder).startsWith('..'))
      throw new UsageError('Name one folder, which does not exist yet and is outside of this repository.');
    if (![name, plural].every((each) => /^[a-z]{2,20}$/.test(each)) || name === plural)
      throw new UsageError('A name is one word of lower-case letters, and its plural another one.');
    if (![first, second].every((each) => /^[A-Z][A-Za-z0-9 ]{1,29}$/.test(each)) || first === second)
      throw new UsageError('Examples differ, begin with a capital, and have letters, digits and spaces.');
    if (parts.some((each) => !PARTS[each]))
      throw new UsageError(`--without has some of ${Object.keys(PARTS)}.`);
    const lines = copy(folder, parts, renamer(name, plural, [first, second, title]));
    refuseWhatDoesNotCompile(folder);
    print(lines.join('\n'));
  },
);

/** @returns what to print: which lines of documents speak of what is left out */
function copy(folder: string, parts: readonly string[], rename: (text: string) => string): string[] {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const rest = new Remainder(tracked.filter(Boolean), parts);
  const toEdit: string[] = [];
  for (const file of rest.files) {
    const text = rest.edited(file);
    const isDocument = file.endsWith('.md');
    const renamed = rename(isDocument ? rest.withoutLinks(text, file) : text);
    const content = file.endsWith('lock.json') ? renamed : renamed.replaceAll(VERSION, '0.1.0');
    const target = path.join(folder, rename(file));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, content, { mode: fs.statSync(path.join(ROOT, file)).mode });
    const lines = renamed.split('\n');
    for (const [n, line] of isDocument ? text.split('\n').entries() : [])
      if (rest.isAboutOthers(line, file)) toEdit.push(`${rename(file)}:${n + 1}: ${lines[n]?.trim()}`);
  }
  const count = `${rest.files.size} files in ${folder}.`;
  return toEdit.length > 0
    ? [count, 'To edit by hand, because they speak of what was left out:', ...toEdit]
    : [count];
}

/** A name that the code uses for something else: the compiler finds it. The copy goes again. */
function refuseWhatDoesNotCompile(folder: string): void {
  const modules = path.join(folder, 'node_modules');
  fs.symlinkSync(path.join(ROOT, 'node_modules'), modules, 'junction');
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler], { cwd: folder, encoding: 'utf8' });
  fs.rmSync(modules);
  if (status === 0) return;
  fs.rmSync(folder, { recursive: true });
  const lines = stdout.split('\n').slice(0, 3).join('\n');
  throw new UsageError(`The code uses this name for something else; choose another one.\n${lines}`);
}
