import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import path from 'node:path';
import { isThere } from './needs.ts';

/** Whether there is git for the tests of the deployed commit. */
export const hasGit = isThere(spawnSync('git', ['--version']).status === 0, {
  tests: 'the tests of the deployed commit',
  why: 'there is no git here.',
  required: process.env.CI === 'true',
});

/** Whether a folder can be given to another user. */
export const isRoot = isThere(process.getuid?.() === 0, {
  tests: 'the tests of a repository of another user',
  why: 'only root can make one.',
});

/** Makes another user the owner of a folder: git then refuses it (git-config(1), "safe.directory"). */
export function giveAway(folder: string): void {
  for (const name of [folder, path.join(folder, '.git')]) chownSync(name, 12345, 12345);
}

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
