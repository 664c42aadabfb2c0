/** `node .ci/copy-service.ts FOLDER --name order` makes a service of your own: a copy, with plants renamed (docs/your-own.md). */
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { runCommand, UsageError } from '../cli/command-line.ts';
import { print } from '../cli/print.ts';
import { CHOOSE, namesOf } from './copy-names.ts';
import { renamer } from './rename.ts';

const ROOT = path.join(import.meta.dirname, '..');
/**
 * What serves the copy, and the laboratory: its trials measure this service, and what they found holds for it. No such file is copied, and
 * no line that names one: each such line can go, and the text around it stays whole.
 */
const ONLY_HERE = /\.ci\/(?:check-copies|copy|rename)|\byour-own\.md|\blab\/|"lab"|npm run lab\b/;
/** Our version, where it is not a package's. The copy begins anew. */
const VERSION = /(?<![\w.^=])1\.0\.0\b/g;

await runCommand({
  usage: 'npx node .ci/copy-service.ts FOLDER --name order [--plural P] [--example E]...',
  about: 'Copies the service to a new folder, as one of what you store.',
  operands: true,
  options: {
    name: { value: 'order', about: 'what you store: one word of lower-case letters' },
    plural: { value: 'orders', about: 'unless the name takes an s' },
    example: { value: '"Order 1"', about: 'a name for the examples; given twice, two', repeatable: true },
  },
  async main({ example, ...given }, [folder = '', ...extra]) {
    if (!folder || extra.length > 0 || fs.existsSync(folder) || !path.relative(ROOT, folder).startsWith('..'))
      throw new UsageError('Name one folder, which does not exist yet and is outside of this repository.');
    const { name, plural } = namesOf(given.name, given.plural);
    const title = name.slice(0, 1).toUpperCase() + name.slice(1);
    const [first = `${title} 1`, second = `${first} B`] = example ?? [];
    if (![first, second].every((each) => /^[A-Z][A-Za-z0-9 ]{1,29}$/.test(each)) || first === second)
      throw new UsageError('Examples differ, begin with a capital, and have letters, digits and spaces.');
    const count = copy(folder, renamer(name, plural, [first, second, title]));
    refuseWhatDoesNotCompile(folder, name);
    print(`${count} files in ${folder}, for POST /${plural}: --plural sets another path. Both names are final after the first deployment.
Next:

  cd ${/^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)}
  git init
  npm install --ignore-scripts && npm rebuild --ignore-scripts
  npm run format && npm run check

Then docs/after-copying.md says how to make it yours.`);
  },
});

/** @returns how many files were copied */
function copy(folder: string, rename: (text: string) => string): number {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const files = tracked.filter((file) => file && !ONLY_HERE.test(file));
  for (const file of files) {
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
    const lines = text.split('\n').filter((line) => !ONLY_HERE.test(line));
    const kept = file.endsWith('lock.json') ? text : lines.join('\n').replaceAll(VERSION, '0.1.0');
    const content =
      file === 'CHANGELOG.md' ? kept.replace(/^## [\s\S]*/m, '## [0.1.0] - unreleased\n') : kept;
    const target = path.join(folder, rename(file));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, rename(content), { mode: fs.statSync(path.join(ROOT, file)).mode });
  }
  return files.length;
}

/** A name that the code uses for something else: the compiler finds it. The copy goes again. */
function refuseWhatDoesNotCompile(folder: string, name: string): void {
  const modules = path.join(folder, 'node_modules');
  fs.symlinkSync(path.join(ROOT, 'node_modules'), modules, 'junction');
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler], { cwd: folder, encoding: 'utf8' });
  fs.rmSync(modules);
  if (status === 0) return;
  fs.rmSync(folder, { recursive: true });
  const lines = stdout.split('\n').slice(0, 3).join('\n');
  throw new UsageError(`The code uses the name ${name} for something else; ${CHOOSE}.\n${lines}`);
}
