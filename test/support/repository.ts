import { execFileSync, spawnSync } from 'node:child_process';
import { isThere } from './needs.ts';

/** Whether there is git for the tests of the deployed commit and of copies. */
export const hasGit = isThere(spawnSync('git', ['--version']).status === 0, {
  tests: 'the tests of the deployed commit and of copies',
  why: 'there is no git here.',
  required: process.env.CI === 'true',
});

/** Runs git in a folder, with an identity and no other variables than the path. @returns what it prints */
export function git(folder: string, ...words: string[]): string {
  const { PATH } = process.env;
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const options = { cwd: folder, encoding: 'utf8', env: { PATH } } as const;
  return execFileSync('git', [...identity, ...words], options).trim();
}

const COMMIT_ALL = 'git init --quiet && git add . && git commit --quiet --message=all && git rev-parse HEAD';

/** Makes a repository with one commit of all files of a folder, from one process of this one. @returns the commit */
export function commitAll(folder: string): string {
  return git(folder, '-c', `alias.commit-all=!${COMMIT_ALL}`, 'commit-all');
}
