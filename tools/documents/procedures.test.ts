import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { columns } from '../../terminal/command-line.ts';
import { isThere } from '../../test/support/needs.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { codeOf } from './documents.ts';

const CODE = ['docs/deploy.md', 'docs/recover.md', 'docs/operate.md'].flatMap(codeOf);
const hasBash = isThere(spawnSync('bash', ['--version']).status === 0, {
  tests: 'shell commands of the procedures',
  why: 'bash is not installed.',
  required: process.env.REQUIRE_TERMINAL === '1',
});

/** Runs the lines of a procedure that match, in a new folder with these files. */
function run(lines: RegExp, files: Readonly<Record<string, string>>, before = '') {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const commands = CODE.filter((line) => lines.test(line)).map((line) =>
    line.replace(/^for id in (.+); do$/, 'printf "%s\\n" $1'),
  );
  expect(commands.length).toBeGreaterThan(0);
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync('bash', ['-c', [before, ...commands].join('\n')], options);
  return { stdout, stderr, read: (name: string) => readFileSync(path.join(folder, name), 'utf8') };
}

test.runIf(hasBash)(
  'a leaked token: the plants that it created are found, wherever the id stands in a line',
  () => {
    const time = '2026-11-22 03:00:00.000';
    const rows = [
      ['@timestamp', 'message.outcome', 'message.error', 'message.request', 'message.id'],
      [time, 'refused', '40001', '7d1c6a52-0c1f-4be1-9d0e-1f1b7f6f3c11', ''],
      [time, 'created', '', '7d1c6a52-0c1f-4be1-9d0e-1f1b7f6f3c12', '9007199254740993'],
      [time, 'repeated', '', '7d1c6a52-0c1f-4be1-9d0e-1f1b7f6f3c13', '8'],
      [time, 'refused', '40901', '7d1c6a52-0c1f-4be1-9d0e-1f1b7f6f3c14', '9'],
    ];
    const others = [
      ['@timestamp', 'message.outcome', 'message.id', 'message.request'],
      [time, 'created', '-5', '7d1c6a52-0c1f-4be1-9d0e-1f1b7f6f3c15'],
    ];
    const found = (used: string[][]) =>
      run(/used\.txt \|/, { 'used.txt': `${columns(used).join('\n')}\n` }).stdout;
    expect(found(rows)).toBe('9007199254740993\n');
    expect(found(others)).toBe('-5\n');
  },
);

test.runIf(hasBash)('a leaked token: the ids of the plants to delete keep all digits', () => {
  const plants = '{"id":9007199254740993,"name":"{\\"id\\":1,"}\n{"id":-5,"name":"Fern"}\n';
  expect(run(/leaked\.ndjson\); do/, { 'leaked.ndjson': plants }).stdout).toBe('9007199254740993\n-5\n');
});

test.runIf(hasBash)('a restore: what is lost and what was stored since is told apart', () => {
  const files = {
    'now.ndjson': '{"id":1,"name":"Fern"}\n{"id":2,"name":"wrong"}\n{"id":4,"name":"since"}\n',
    'then.ndjson': '{"id":1,"name":"Fern"}\n{"id":2,"name":"Moss"}\n{"id":3,"name":"gone"}\n',
  };
  const { read } = run(/^comm .*\$PREVIOUS\.ndjson/, files, 'PREVIOUS=now RESTORED=then');
  expect(read('lost.ndjson')).toBe('{"id":2,"name":"Moss"}\n{"id":3,"name":"gone"}\n');
  expect(read('since.ndjson')).toBe('{"id":2,"name":"wrong"}\n{"id":4,"name":"since"}\n');
});

test.runIf(hasBash)('a restore without a time does not begin', () => {
  const { stdout, stderr } = run(/restore-table-to-point-in-time/, {}, 'aws() { echo "$@"; }');
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringContaining('TIME') });
});
