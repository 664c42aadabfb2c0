import { execFileSync } from 'node:child_process';
import process from 'node:process';
import type { AliasDescription } from './alias-description.ts';

/** What a folder holds: a commit, or files that differ from it. */
export type WorkingCopy = Pick<AliasDescription, 'commit' | 'isModified'>;

/** Not under version control, or not known to be. */
export const UNKNOWN: WorkingCopy = { commit: undefined, isModified: false };

/**
 * Reads the commit of a folder of the project. Files that git ignores do not count.
 * @returns {@link UNKNOWN} without git, outside of a repository, and in one whose commit has no such folder
 */
export function readWorkingCopy(folder: string): WorkingCopy {
  // For a hook, git sets GIT_DIR and others, and would then read another repository (git(1), "Environment Variables").
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const git = (...words: string[]) =>
    execFileSync('git', words, {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    });
  try {
    // The second one fails in a copy that lies in the folder of another repository.
    const [commit] = git('rev-parse', 'HEAD', 'HEAD:./package.json').split('\n');
    const changes = git(
      '--no-optional-locks',
      'status',
      '--porcelain',
      '--untracked-files=normal',
      '--',
      '.',
    );
    return { commit, isModified: changes !== '' };
  } catch {
    return UNKNOWN;
  }
}
