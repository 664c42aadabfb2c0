import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { OwnFile } from '../../terminal/own-file.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { temporaryFolder } from '../support/local-process.ts';

const LINE = '{"id":1}\n';

const newName = () => path.join(temporaryFolder(), 'a.ndjson');

test('only the owner can read the file, whose lines stay until it begins again', () => {
  const name = newName();
  for (const lines of [LINE, LINE + LINE]) {
    const file = new OwnFile(name);
    file.append(LINE);
    expect(file.close()).toBe(false);
    expect([readFileSync(name, 'utf8'), statSync(name).mode & 0o777]).toEqual([lines, 0o600]);
  }
  const again = new OwnFile(name);
  again.begin();
  expect(again.close()).toBe(true);
});

test('a file that is removed while it is written is reported', () => {
  const name = newName();
  const file = new OwnFile(name);
  file.append(LINE);
  rmSync(name);
  expect(() => file.close()).toThrow(new PlainError(`${name} was removed while it was written.`));
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
    expect([readFileSync(other, 'utf8'), statSync(other).mode & 0o777]).toEqual(['theirs', 0o644]);
  });
});
