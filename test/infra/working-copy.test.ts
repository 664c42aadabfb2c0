import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { containsCommit, readWorkingCopy } from '../../infra/working-copy.ts';
import { commitAll, git, hasGit } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

/** A project in a folder of its own, or in this one. */
function project(folder = temporaryFolder()): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{}');
  writeFileSync(path.join(folder, '.gitignore'), 'ignored\n');
  return folder;
}

const NOT_KNOWN = { commit: undefined, isModified: false };

describe.skipIf(!hasGit)('a working copy', () => {
  test.each<[what: string, isModified: boolean, change: (folder: string) => void]>([
    ['as committed', false, () => undefined],
    ['with an ignored file', false, (folder) => writeFileSync(path.join(folder, 'ignored'), '')],
    ['with a changed file', true, (folder) => appendFileSync(path.join(folder, 'package.json'), '\n')],
    ['with a new file', true, (folder) => writeFileSync(path.join(folder, 'new'), '')],
    [
      'with a new file that git status shows to nobody',
      true,
      (folder) => {
        git(folder, 'config', 'status.showUntrackedFiles', 'no');
        writeFileSync(path.join(folder, 'new'), '');
      },
    ],
  ])('%s is modified: %s', (_, isModified, change) => {
    const folder = project();
    const commit = commitAll(folder);
    change(folder);
    expect(readWorkingCopy(folder)).toEqual({ commit, isModified });
  });

  test('in a folder of a larger repository has its commit, and is not modified by the other folders', () => {
    const outer = temporaryFolder();
    const folder = project(path.join(outer, 'services', 'plants'));
    const commit = commitAll(outer);
    writeFileSync(path.join(outer, 'services', 'other'), '');
    expect(readWorkingCopy(folder)).toEqual({ commit, isModified: false });
  });

  test('contains its own commit and earlier ones, but not a later or an unknown one', () => {
    const folder = project();
    const first = commitAll(folder);
    appendFileSync(path.join(folder, 'package.json'), '\n');
    const second = commitAll(folder);
    const contains = () => [first, second, 'f'.repeat(40)].map((commit) => containsCommit(folder, commit));
    expect(contains()).toEqual([true, true, false]);
    git(folder, 'checkout', '--quiet', first);
    expect(contains()).toEqual([true, false, false]);
  });

  test('without a repository has no commit, nor with one that has none', () => {
    const folder = project();
    expect(readWorkingCopy(folder)).toEqual(NOT_KNOWN);
    git(folder, 'init', '--quiet');
    expect(readWorkingCopy(folder)).toEqual(NOT_KNOWN);
  });

  test('that was unpacked in the repository of something else, which ignores it, has no commit', () => {
    const outer = project();
    commitAll(outer);
    expect(readWorkingCopy(project(path.join(outer, 'ignored')))).toEqual(NOT_KNOWN);
  });

  test('is read from its own repository in a hook of another one', () => {
    const [folder, other] = [project(), project()];
    const commit = commitAll(folder);
    commitAll(other);
    vi.stubEnv('GIT_DIR', path.join(other, '.git'));
    vi.stubEnv('GIT_WORK_TREE', other);
    const found = readWorkingCopy(folder);
    vi.unstubAllEnvs();
    expect(found).toEqual({ commit, isModified: false });
  });
});
