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

/** Makes a repository with one commit of all files of a folder. @returns the commit */
export function commitAll(folder: string): string {
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message=all');
  return git(folder, 'rev-parse', 'HEAD');
}
