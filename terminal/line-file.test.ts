import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
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
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test/support/local-process.ts';
import { LineFile, OwnFile } from './line-file.ts';
import { PlainError } from './plain-error.ts';

const LINE = '{"id":1}\n';

const newName = () => path.join(temporaryFolder(), 'a.ndjson');

test('only the owner can read the file, whose earlier lines stay if they are kept, or until the first append', () => {
  const name = newName();
  writeFileSync(name, '', { mode: 0o644 });
  for (const [keeps, lines, left] of [
    [true, LINE, LINE],
    [true, LINE, LINE + LINE],
    [false, undefined, LINE + LINE],
    [false, LINE, LINE],
    [false, '', ''],
    [false, '', undefined],
  ] as const) {
    const file = new OwnFile(name, { keeps });
    if (lines !== undefined) file.append(lines);
    expect(statSync(name).mode & 0o777).toBe(0o600);
    file.close(left === '');
    expect(readdirSync(path.dirname(name))).toEqual(left === undefined ? [] : ['a.ndjson']);
    if (left !== undefined) expect(readFileSync(name, 'utf8')).toBe(left);
  }
});

const CHANGED = 'something else has changed it';
const REPLACED = 'replaced';
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
    // Nothing more is written then.
    if (sentence === CHANGED) expect(() => file.append(LINE)).toThrow(sentence);
    expect(() => file.close()).toThrow(sentence);
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

/** The process id of a process that has ended. */
const ended = () => spawnSync('true').pid;
const IN_USE = /\/a\.ndjson\.lock\b/;
/** A lock with this text. */
const lock = (text: string) => (name: string) => writeFileSync(`${name}.lock`, text);

test.skipIf(process.platform === 'win32').each<[string, (name: string, other: string) => void, RegExp]>([
  ['locked by a running process', lock(`${process.ppid} ${hostname()}\n`), IN_USE],
  ['locked by another user', lock(`1 ${hostname()}\n`), IN_USE],
  ['locked by another machine', lock(`${ended()} ${hostname()}2\n`), IN_USE],
  ['locked by a lock without a name', lock(''), IN_USE],
  ['locked by a lock that names no process', lock(`0 ${hostname()}\n`), IN_USE],
  ['locked by a pipe', (name) => execFileSync('mkfifo', [`${name}.lock`]), IN_USE],
  ['locked by a link to a lock', (name) => symlinkSync('none', `${name}.lock`), IN_USE],
  ['a folder', (name) => mkdirSync(name), /a\.ndjson cannot be written to \(EISDIR\)\.$/],
  ['a pipe', (name) => execFileSync('mkfifo', [name]), /a\.ndjson cannot be written to \(ENXIO\)\.$/],
  ['a link', (name, other) => symlinkSync(other, name), /a\.ndjson cannot be written to \(ELOOP\)\.$/],
  ['a link to nothing', (name) => symlinkSync('none', name), /a\.ndjson cannot be written to \(ELOOP\)\.$/],
  ['a hard link', (name, other) => linkSync(other, name), /is not a file of its own; remove it, or move it/],
])('%s is not written to', (_, make, message) => {
  const name = newName();
  const other = path.join(path.dirname(name), 'other');
  writeFileSync(other, THEIRS, { mode: 0o644 });
  make(name, other);
  const before = readdirSync(path.dirname(name));
  expect(() => new OwnFile(name)).toThrow(
    expect.objectContaining({ name: 'PlainError', message: expect.stringMatching(message) }),
  );
  expect(readdirSync(path.dirname(name))).toEqual(before);
  expect([readFileSync(other, 'utf8'), statSync(other).mode & 0o777]).toEqual([THEIRS, 0o644]);
});

test.each([
  ['that has ended', ended],
  ['before with the same id, as in a container', () => process.pid],
])('the lock of a process %s is replaced', (_, pid) => {
  const name = newName();
  lock(`${pid()} ${hostname()}\n`)(name);
  const file = new OwnFile(name);
  file.append(LINE);
  file.close();
  expect(readdirSync(path.dirname(name))).toEqual(['a.ndjson']);
});

test.skipIf(process.platform === 'win32')('lines that may not reach the disk are reported', () => {
  // The system refuses to synchronize a device that has no disk.
  const file = new LineFile('a.ndjson', openSync('/dev/null', 'w'));
  expect(() => file.close()).toThrow(new PlainError('a.ndjson cannot be written to (EINVAL).'));
});

test('the lock of another command is not removed', () => {
  const name = newName();
  const file = new OwnFile(name);
  lock(THEIRS)(name);
  file.close();
  expect(readFileSync(`${name}.lock`, 'utf8')).toBe(THEIRS);
});
