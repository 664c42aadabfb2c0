import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PlainError } from '../../../infra/plain-error.ts';
import { Ledger } from '../../../tools/import/ledger.ts';
import type { InputRecord } from '../../../tools/import/record.ts';
import { RefusedFile } from '../../../tools/import/refused-file.ts';
import { temporaryFolder } from '../../support/local-process.ts';
import { isThere } from '../../support/needs.ts';

const URL = 'http://127.0.0.1:9';
const INPUT = 'id,name\n1,Fern\nx,Fern\n2,Fern\n';
const RESTART = 'start again from the first line with --restart.';

/** The rows of the input. */
const ROWS: readonly InputRecord[] = [15, 22, 29].map((offset, n) => ({
  line: n + 2,
  end: { offset, line: n + 3 },
  bytes: 7,
  content: { plant: { id: 1n, name: 'Fern' } },
  properties: new Map([['name', '"Fern"']]),
}));
const REFUSAL = { error: 40002, message: 'id must be an integer.' };

function newInput(): string {
  const file = path.join(temporaryFolder(), 'a.csv');
  writeFileSync(file, INPUT);
  return file;
}

/** An import whose first two lines are finished; the second one was refused. */
function interrupted(): { file: string; ledger: Ledger } {
  const file = newInput();
  const ledger = new Ledger(file, URL, false);
  for (const [at, row] of ROWS.slice(0, 2).entries()) ledger.commit(row, at === 1 ? REFUSAL : undefined);
  ledger.stop();
  return { file, ledger };
}

const filesBeside = (file: string) => readdirSync(path.dirname(file));
const open = (file: string, url = URL) => new Ledger(file, url, false);

test('an import resumes where it stopped, without the refused lines that were written later', () => {
  const { file, ledger } = interrupted();
  const refused = readFileSync(`${file}.refused.ndjson`, 'utf8');
  expect(refused).toBe(
    '{"name":"Fern","refused":{"line":3,"error":40002,"message":"id must be an integer."}}\n',
  );
  writeFileSync(`${file}.refused.ndjson`, `${refused}{"id":2,"refused":{}}\n{"id":`);
  const resumed = open(file);
  expect(resumed.progress).toEqual({ next: { offset: 22, line: 4 }, stored: 1, refused: { 40002: 1 } });
  expect(resumed.progress).toEqual(ledger.progress);
  expect(readFileSync(`${file}.refused.ndjson`, 'utf8')).toBe(refused);
  resumed.complete();
  expect(filesBeside(file)).toEqual(['a.csv', 'a.csv.refused.ndjson']);
});

test('--restart forgets the earlier import', () => {
  const { file } = interrupted();
  const ledger = new Ledger(file, 'http://127.0.0.1:8', true);
  expect(ledger.progress).toEqual({ next: { offset: 0, line: 1 }, stored: 0, refused: {} });
  ledger.complete();
  expect(filesBeside(file)).toEqual(['a.csv']);
});

test('an import is not resumed with another service', () => {
  const { file } = interrupted();
  expect(() => open(file, 'http://127.0.0.1:8')).toThrow(
    new PlainError(`${file}.import.json belongs to an import to ${URL}; continue that one, or ${RESTART}`),
  );
});

const CHANGED = `The file has changed before line 4, where its import was interrupted; undo the change, or ${RESTART}`;
const NO_STATE = `FILE.import.json is not the state of an import; ${RESTART}`;
const STATE = '"sha256":"","refusedBytes":0,"next":{"offset":-9,"line":1},"stored":0,"refused":{}}';

test.each([
  ['', INPUT.replace('Fern', 'Rose'), CHANGED],
  ['', INPUT.slice(0, 20), CHANGED],
  ['.refused.ndjson', '', 'FILE.refused.ndjson has lost lines of this import; start again with --restart.'],
  ['.import.json', '', NO_STATE],
  ['.import.json', 'null', NO_STATE],
  ['.import.json', '{"next":{"offset":9},"refusedBytes":0}', NO_STATE],
  ['.import.json', `{"target":"${URL}",${STATE}`, NO_STATE],
])('an import is not resumed if FILE%s is %j', (ending, text, message) => {
  const { file } = interrupted();
  writeFileSync(file + ending, text);
  expect(() => open(file)).toThrow(new PlainError(message.replace('FILE', file)));
  expect(filesBeside(file)).toEqual(['a.csv', 'a.csv.import.json', 'a.csv.refused.ndjson']);
});

test('the refused lines of an earlier import are not overwritten', () => {
  const { file } = interrupted();
  rmSync(`${file}.import.json`);
  expect(() => open(file)).toThrow(
    new PlainError(
      `${file}.refused.ndjson has the refused lines of an earlier import; move it, or overwrite it with --restart.`,
    ),
  );
});

test.each([
  ['removed', true],
  ['written to', false],
])('a file of refused lines that cannot be %s is reported', (what, isRestart) => {
  const file = newInput();
  mkdirSync(`${file}.refused.ndjson`);
  expect(() => new Ledger(file, URL, isRestart)).toThrow(
    new RegExp(`^${file}\\.refused\\.ndjson cannot be ${what} \\([A-Z_]+\\)\\.$`),
  );
});

const isLinux = isThere(process.platform === 'linux', {
  tests: 'the tests of files that cannot be read',
  why: 'they need Linux.',
});

describe.skipIf(!isLinux)('on Linux', () => {
  test('an input that cannot be read is reported', () => {
    const file = path.join(temporaryFolder(), 'a.csv');
    // It can be opened, but not read at the address 0.
    symlinkSync('/proc/self/mem', file);
    const state = { next: { offset: 9, line: 2 }, stored: 1, refused: {}, refusedBytes: 0 };
    writeFileSync(`${file}.import.json`, JSON.stringify({ target: URL, sha256: '', ...state }));
    expect(() => open(file)).toThrow(new PlainError(`${file} cannot be read (EIO).`));
  });

  test('a full disk is reported, and a line that was not written whole does not count', () => {
    const name = path.join(temporaryFolder(), 'a.refused.ndjson');
    symlinkSync('/dev/full', name);
    const file = new RefusedFile(name, undefined);
    expect(() => file.append('{"id":1}\n')).toThrow(new PlainError(`${name} cannot be written to (ENOSPC).`));
    expect(file.size).toBe(0);
  });
});
