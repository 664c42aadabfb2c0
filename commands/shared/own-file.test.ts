import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LineFile } from '../../cli/line-file.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { temporaryFolder } from '../../test/support/local-process.ts';
import { OwnFile } from './own-file.ts';

const LINE = '{"id":1}\n';
const EARLIER = 'earlier\n';

/** The name of a file that is there. */
function earlierFile(): string {
  const name = path.join(temporaryFolder(), 'a.ndjson');
  writeFileSync(name, EARLIER, { mode: 0o644 });
  return name;
}

test.each([
  [false, LINE],
  [true, EARLIER + LINE],
])(
  'the earlier file stays until a new one is whole, which only its owner can read; keeps: %s',
  (keeps, whole) => {
    const name = earlierFile();
    const file = new OwnFile(name, { keeps });
    file.append(LINE);
    expect([readFileSync(name, 'utf8'), statSync(`${name}.part`).mode & 0o777]).toEqual([EARLIER, 0o600]);
    expect(() => new OwnFile(name)).toThrow(`If none is running, delete ${name}.part first.`);
    file.close();
    expect([readFileSync(name, 'utf8'), statSync(name).mode & 0o777]).toEqual([whole, 0o600]);
    expect(readdirSync(path.dirname(name))).toEqual(['a.ndjson']);
  },
);

test.each<[string, (file: OwnFile, name: string) => void]>([
  ['removed', () => undefined],
  [
    'changed by something else',
    (file, name) => {
      appendFileSync(`${name}.part`, 'theirs');
      expect(() => file.append(LINE)).toThrow('something else has changed it');
      expect(() => file.close()).toThrow('something else has changed it');
    },
  ],
  [
    'deleted by something else',
    (file, name) => {
      rmSync(`${name}.part`);
      expect(() => file.close()).toThrow(new PlainError(`${name}.part was deleted or replaced meanwhile.`));
    },
  ],
  [
    'replaced by that of another command',
    (file, name) => {
      rmSync(`${name}.part`);
      const other = new OwnFile(name);
      expect(() => file.close()).toThrow('was deleted or replaced meanwhile.');
      file.remove();
      other.append(EARLIER);
      other.close();
    },
  ],
])('a file that is %s leaves the earlier one as it was', (_, end) => {
  const name = earlierFile();
  const file = new OwnFile(name);
  file.append(LINE);
  end(file, name);
  file.remove();
  expect(readdirSync(path.dirname(name))).toEqual(['a.ndjson']);
  expect(readFileSync(name, 'utf8')).toBe(EARLIER);
});

test.skipIf(process.platform === 'win32').each<[string, (name: string) => unknown]>([
  ['a folder', (name) => mkdirSync(name)],
  ['a pipe', (name) => execFileSync('mkfifo', [name])],
  ['a link', (name) => symlinkSync('other', name)],
])('%s is not replaced', (_, make) => {
  const name = path.join(temporaryFolder(), 'a');
  make(name);
  expect(() => new OwnFile(name)).toThrow(new PlainError(`${name} is not a file.`));
  expect(readdirSync(path.dirname(name))).toEqual(['a']);
});

test.skipIf(process.platform === 'win32')('lines that may not reach the disk are reported', () => {
  // The system refuses to synchronize a device that has no disk.
  const file = new LineFile('a.ndjson', openSync('/dev/null', 'w'));
  expect(() => file.close()).toThrow(new PlainError('a.ndjson cannot be written to (EINVAL).'));
});
