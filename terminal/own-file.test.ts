import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../test/support/local-process.ts';
import { OwnFile } from './own-file.ts';
import { PlainError } from './plain-error.ts';

const LINE = '{"id":1}\n';

const newName = () => path.join(temporaryFolder(), 'a.ndjson');

test('only the owner can read the file, whose lines stay until it begins again', () => {
  const name = newName();
  for (const lines of [LINE, LINE + LINE]) {
    const file = new OwnFile(name);
    file.append(LINE);
    file.close();
    expect([readFileSync(name, 'utf8'), statSync(name).mode & 0o777]).toEqual([lines, 0o600]);
  }
  for (const left of [[], ['a.ndjson']]) {
    const again = new OwnFile(name);
    again.begin();
    again.close({ keepsEmpty: left.length > 0 });
    expect(readdirSync(path.dirname(name))).toEqual(left);
  }
});

const CHANGED = 'does not have the lines that were written to it: something else has changed it.';
const REPLACED = 'was removed or replaced while it was written.';
const THEIRS = 'theirs';
test.each<[string, (name: string) => void, string, string | undefined]>([
  ['removed', (name) => rmSync(name), REPLACED, undefined],
  ['moved away', (name) => renameSync(name, `${name}.moved`), REPLACED, undefined],
  [
    'replaced by a file of the same size',
    (name) => {
      rmSync(name);
      writeFileSync(name, LINE.toUpperCase());
    },
    REPLACED,
    LINE.toUpperCase(),
  ],
  [
    'replaced by a link to it',
    (name) => {
      renameSync(name, `${name}.moved`);
      symlinkSync(`${name}.moved`, name);
    },
    REPLACED,
    LINE,
  ],
  ['truncated', (name) => truncateSync(name), CHANGED, ''],
  ['written to by something else', (name) => appendFileSync(name, THEIRS), CHANGED, LINE + THEIRS],
])(
  'a file that is %s while it is written is reported, and what is there stays',
  (_, change, sentence, left) => {
    const name = newName();
    const file = new OwnFile(name);
    file.append(LINE);
    change(name);
    expect(() => file.close()).toThrow(new PlainError(`${name} ${sentence}`));
    expect(existsSync(name) ? readFileSync(name, 'utf8') : undefined).toBe(left);
    expect(existsSync(`${name}.lock`)).toBe(false);
  },
);

test('an empty file that has replaced the own one is not removed', () => {
  const name = newName();
  const file = new OwnFile(name);
  rmSync(name);
  writeFileSync(name, '');
  expect(() => file.close()).toThrow(REPLACED);
  expect(existsSync(name)).toBe(true);
});

test('nothing more is written to a file that something else has changed', () => {
  const name = newName();
  const file = new OwnFile(name);
  file.append(LINE);
  appendFileSync(name, THEIRS);
  expect(() => file.append(LINE)).toThrow(new PlainError(`${name} ${CHANGED}`));
  expect(readFileSync(name, 'utf8')).toBe(LINE + THEIRS);
});

describe.skipIf(process.platform === 'win32')('a lock', () => {
  /** The process id of a process that has ended. */
  const ended = () => spawnSync('true').pid;
  const refusal = (name: string) =>
    new PlainError(`Another command is writing ${name}. If that is not so, delete ${name}.lock first.`);

  test.each<[string, (lock: string) => void]>([
    ['of a running process', (lock) => writeFileSync(lock, `${process.ppid} ${hostname()}\n`)],
    ['of another user', (lock) => writeFileSync(lock, `1 ${hostname()}\n`)],
    ['of another machine', (lock) => writeFileSync(lock, `${ended()} ${hostname()}2\n`)],
    ['without a name', (lock) => writeFileSync(lock, '')],
    ['that names no process', (lock) => writeFileSync(lock, `0 ${hostname()}\n`)],
    ['that is a pipe', (lock) => execFileSync('mkfifo', [lock])],
    ['that is a link to one', (lock) => symlinkSync('none', lock)],
  ])('%s keeps others from the file', (_, make) => {
    const name = newName();
    writeFileSync(name, THEIRS, { mode: 0o644 });
    make(`${name}.lock`);
    expect(() => new OwnFile(name)).toThrow(refusal(name));
    expect([readFileSync(name, 'utf8'), statSync(name).mode & 0o777]).toEqual([THEIRS, 0o644]);
  });

  test.each([
    ['a process that has ended', ended],
    ['an earlier process with the same id, as in a container', () => process.pid],
  ])('of %s is replaced', (_, pid) => {
    const name = newName();
    writeFileSync(`${name}.lock`, `${pid()} ${hostname()}\n`);
    const file = new OwnFile(name);
    file.append(LINE);
    file.close();
    expect(readdirSync(path.dirname(name))).toEqual(['a.ndjson']);
  });

  test('of another command is not removed', () => {
    const name = newName();
    const file = new OwnFile(name);
    writeFileSync(`${name}.lock`, THEIRS);
    file.close();
    expect(readFileSync(`${name}.lock`, 'utf8')).toBe(THEIRS);
  });
});

describe.skipIf(process.platform === 'win32')('not written to is', () => {
  test.each([
    ['a folder', (name: string) => mkdirSync(name), 'cannot be written to (EISDIR).'],
    ['a pipe', (name: string) => execFileSync('mkfifo', [name]), 'cannot be written to (ENXIO).'],
    ['a link', (name: string, other: string) => symlinkSync(other, name), 'cannot be written to (ELOOP).'],
    ['a link to nothing', (name: string) => symlinkSync('none', name), 'cannot be written to (ELOOP).'],
    [
      'a hard link',
      (name: string, other: string) => linkSync(other, name),
      'is not a file of its own; remove it, or move it away.',
    ],
  ])('%s', (_, plant, sentence) => {
    const name = newName();
    const other = path.join(temporaryFolder(), 'other');
    writeFileSync(other, 'theirs', { mode: 0o644 });
    plant(name, other);
    expect(() => new OwnFile(name)).toThrow(new PlainError(`${name} ${sentence}`));
    expect(existsSync(`${name}.lock`)).toBe(false);
    expect([readFileSync(other, 'utf8'), statSync(other).mode & 0o777]).toEqual(['theirs', 0o644]);
  });
});
