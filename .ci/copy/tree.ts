import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Tree } from './manifest.ts';

/**
 * The files of a folder but for those that its .gitignore excludes. Git is asked with an empty repository elsewhere: the folder may have none,
 * as an archive, or lie in another one.
 */
export function readTree(folder: string): Map<string, string> {
  const repository = fs.mkdtempSync(path.join(tmpdir(), 'tree-'));
  try {
    const git = (...args: string[]) =>
      execFileSync('git', [`--git-dir=${repository}`, ...args], {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      });
    git('init', '--quiet', '--bare');
    const files = git('--work-tree=.', 'ls-files', '-z', '--others', '--exclude-per-directory=.gitignore');
    return new Map(
      files
        .split('\0')
        .filter(Boolean)
        .sort()
        .map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]),
    );
  } finally {
    fs.rmSync(repository, { recursive: true });
  }
}

/** Writes the files that differ from what is there. A script, which begins with `#!`, may be executed. @returns which they were */
export function writeTree(folder: string, tree: Tree, before: Tree = new Map()): string[] {
  const changed = [...tree].filter(([file, text]) => before.get(file) !== text);
  for (const [file, text] of changed) {
    const target = path.join(folder, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  return changed.map(([file]) => file);
}
