import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { formatToken } from '../../lambda/store/token-format.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { sorted } from './command-lines.ts';
import { codeOf, DOCUMENTS, ROOT, read } from './documents.ts';
import type { Attempt } from './try-commands.ts';

const execute = promisify(execFile);
/** At this address nothing listens, and there are no credentials. */
const ENV = {
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  AWS_CONFIG_FILE: '/nonexistent',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
  PLANT_STORE_TOKEN: formatToken(new Uint8Array(32)),
};
const TRY_COMMANDS = path.join(import.meta.dirname, 'try-commands.ts');

/** Runs commands of the project without a Region and credentials, so that none of them gets further than to its first call. */
async function attempts(lines: readonly (readonly string[])[]): Promise<Attempt[]> {
  const allowed = ['--allow-fs-read=*', '--allow-fs-write=/dev/null', '--allow-addons'];
  const absolute = lines.map(([file = '', ...args]) => [path.join(ROOT, file), ...args]);
  const args = ['--permission', ...allowed, TRY_COMMANDS, JSON.stringify(absolute)];
  // In a folder without a data folder, which could be the user's own.
  const options = { cwd: temporaryFolder(), env: ENV, timeout: 50_000 };
  const { stdout } = await execute(process.execPath, args, options);
  return JSON.parse(stdout);
}

/** @returns what is wrong with commands, one line each */
async function problemsOf(commands: readonly string[]): Promise<string[]> {
  const { wrong, runs } = sorted(commands);
  const files = [...new Set(runs.map(({ line: [file = ''] }) => file))];
  const all = await attempts([...files.map((file) => [file, '--unknown']), ...runs.map(({ line }) => line)]);
  // A command that fails before it reads its options would accept all of them.
  const unread = files.filter((_, n) => all[n]?.code !== 2);
  const refused = runs.flatMap(({ command }, n) => {
    const { code, said } = all[files.length + n] as Attempt;
    return code === 2 ? [`${command}: ${said.trim()}`] : [];
  });
  return [...wrong, ...unread.map((file) => `${file} does not read its options`), ...refused];
}

const DOCUMENTED = DOCUMENTS.flatMap(codeOf).filter((line) => /\bnp[mx] /.test(line));
test('documented commands are accepted by their own parsers', async () => {
  expect(DOCUMENTED.length).toBeGreaterThan(150);
  expect(await problemsOf(DOCUMENTED)).toEqual([]);
});

test('docs/commands.md has a row for each script of package.json', () => {
  const rows = read('docs/commands.md').split('\n| ');
  const { postinstall: _, pretest: __, ...scripts } = JSON.parse(read('package.json')).scripts;
  const names = Object.keys(scripts).map((name) => new RegExp(`\`npm (run )?${name}( -- NAME)?\``));
  expect(names.filter((name) => !rows.some((row) => name.test(row)))).toEqual([]);
});
