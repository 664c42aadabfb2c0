import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  formatAliasDescription,
  parseAliasDescription,
  readWorkingCopy,
  type WorkingCopy,
} from '../../infra/working-copy.ts';
import { commitAll, git, hasGit } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

/** A project in a folder of its own, or in this one. */
function project(folder = temporaryFolder()): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{}');
  writeFileSync(path.join(folder, '.gitignore'), 'ignored\n');
  return folder;
}

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const NOT_KNOWN = { commit: undefined, isModified: false };
const UNREADABLE = { ...NOT_KNOWN, problem: expect.stringMatching(/^git says: .+/) };

describe.skipIf(!hasGit)('a working copy', () => {
  test('is modified if a file has changed or is new, even one that git status shows to nobody', () => {
    const folder = project();
    const commit = commitAll(folder);
    const expectModified = (isModified: boolean) =>
      expect(readWorkingCopy(folder)).toEqual({ commit, isModified });
    writeFileSync(path.join(folder, 'ignored'), '');
    expectModified(false);
    expect(readWorkingCopy(folder, commit)).toEqual({ commit, isModified: false });
    expect(() => readWorkingCopy(folder, COMMIT)).toThrow(`is ${commit}, not ${COMMIT}.`);
    writeFileSync(path.join(folder, 'new'), '');
    git(folder, 'config', 'status.showUntrackedFiles', 'no');
    expectModified(true);
    rmSync(path.join(folder, 'new'));
    expectModified(false);
    appendFileSync(path.join(folder, 'package.json'), '\n');
    expectModified(true);
  });

  test('without a repository has no commit, nor with one that has none', () => {
    const folder = project();
    expect(readWorkingCopy(folder)).toEqual(UNREADABLE);
    expect(readWorkingCopy(folder, COMMIT)).toEqual({ ...UNREADABLE, commit: COMMIT });
    git(folder, 'init', '--quiet');
    expect(readWorkingCopy(folder)).toEqual(UNREADABLE);
  });

  test('in a folder of a larger repository has its commit, and is not modified by other folders, unless that one ignores it', () => {
    const outer = temporaryFolder();
    const folder = project(path.join(outer, 'plants'));
    writeFileSync(path.join(outer, '.gitignore'), 'ignored\n');
    const commit = commitAll(outer);
    writeFileSync(path.join(outer, 'other'), '');
    expect(readWorkingCopy(folder)).toEqual({ commit, isModified: false });
    expect(readWorkingCopy(project(path.join(outer, 'ignored')))).toEqual(UNREADABLE);
  });

  test('on a machine without git has no commit, and says so', () => {
    const folder = project();
    commitAll(folder);
    vi.stubEnv('PATH', '');
    expect(readWorkingCopy(folder)).toEqual({ ...NOT_KNOWN, problem: 'there is no git here' });
  });

  test('is read from its own repository in a hook of another one', () => {
    const [folder, other] = [project(), project()];
    const commit = commitAll(folder);
    commitAll(other);
    vi.stubEnv('GIT_DIR', path.join(other, '.git'));
    vi.stubEnv('GIT_WORK_TREE', other);
    expect(readWorkingCopy(folder)).toEqual({ commit, isModified: false });
  });
});

test.each<[text: string, description: WorkingCopy]>([
  [`commit ${COMMIT}`, { commit: COMMIT, isModified: false }],
  [`commit ${COMMIT}, modified`, { commit: COMMIT, isModified: true }],
  ['commit not known', NOT_KNOWN],
])('the description of an alias is written and read: %s', (text, description) => {
  expect(formatAliasDescription(description)).toBe(text);
  expect(parseAliasDescription(text)).toEqual(description);
});

test.each([undefined, `commit ${COMMIT.slice(1)}`, `the commit ${COMMIT}`])(
  'a description that no deployment has written names no commit: %j',
  (text) => {
    expect(parseAliasDescription(text)).toEqual(NOT_KNOWN);
  },
);
