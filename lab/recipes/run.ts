/** `npm run lab -- recipes`: does what docs/list-and-change.md says, in a copy of the service, and runs its tests. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../cli/command-line.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { print } from '../../cli/print.ts';
import { type Block, blocksIn, patched } from './blocks.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** What differs where ids are texts. */
const TEXT_KEY = [
  [
    'contract/openapi.yaml',
    `          type: integer
          format: int64
          examples: [7, 8]
`,
    `          type: string
          pattern: '^SHP-[0-9]{8}$'
          maxLength: 12
          examples: [SHP-00000007, SHP-00000008]
`,
  ],
  ['docs/list-and-change.md', 'id: { N: String(after) }', 'id: { S: after }'],
] as const;

await runCommand({
  usage: 'npm run lab -- recipes FOLDER [TESTS]... [--text-key]',
  about: `Copies the service to FOLDER, applies the recipes of docs/list-and-change.md to it, and runs its tests: all, or those in
TESTS. FOLDER stays.`,
  options: { 'text-key': { about: 'ids are texts, such as SHP-00000007' } },
  operands: true,
  async main({ 'text-key': hasTextKey }, [folder = '', ...tests]) {
    execFileSync('node', ['.ci/copy-service.ts', folder, '--name', 'shipment'], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    for (const [file, before, after] of hasTextKey ? TEXT_KEY : []) {
      const target = path.join(folder, file);
      fs.writeFileSync(
        target,
        fs.readFileSync(target, 'utf8').replace(before, () => after),
      );
    }
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    for (const args of ['init --quiet', 'add .', 'commit --quiet --message Copy']) git(...args.split(' '));
    const document = fs.readFileSync(path.join(folder, 'docs/list-and-change.md'), 'utf8');
    for (const section of document.split(/^## /m)) {
      const heading = section.startsWith('# ') ? 'The properties' : section.slice(0, section.indexOf('\n'));
      for (const block of blocksIn(section)) apply(folder, block);
      git('add', '.');
      print(`${heading}:${git('diff', '--cached', '--shortstat', ':!contract/openapi-3.0.yaml').trimEnd()}`);
      generate(folder);
      git('commit', '--quiet', '--all', '--allow-empty', '--message', heading);
    }
    const run = (...command: string[]) => execFileSync('npx', command, { cwd: folder, stdio: 'inherit' });
    run('biome', 'check', '--write');
    run('tsc');
    run('tsc', '--project', 'client/tsconfig.json');
    run('vitest', 'run', ...(tests.length > 0 ? tests : ['--coverage']));
  },
});

function apply(folder: string, { how, file, text }: Block): void {
  const target = path.join(folder, file);
  if (how === 'generate') generate(folder);
  else if (how === 'new') fs.writeFileSync(target, text, { flag: 'wx' });
  else if (how === 'append') fs.appendFileSync(target, text);
  else if (how === 'patch') fs.writeFileSync(target, patched(fs.readFileSync(target, 'utf8'), text, file));
  else throw new PlainError(`${how} ${file}: there is nothing of this name that a block does.`);
}

/** Fails while cells are to be written by hand. */
function generate(folder: string): void {
  try {
    execFileSync('node', ['commands/generate.ts'], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    print(String((error as { stderr: Buffer }).stderr).trim());
  }
}
