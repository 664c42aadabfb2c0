import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { read } from '../../test/support/project.ts';
import { commitAll, git, hasGit } from '../../test/support/repository.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { commitOf } from './record.ts';
import { readTree, writeTree } from './tree.ts';

const KEPT = ['.ci/run', '.gitignore', 'README.md', 'docs/new.md', 'lambda/a.ts'];
/** What work leaves in the folder, which may have customers' plants and tokens. */
const LEFT = [
  '.plant-store/plants.ndjson',
  'a.refused.ndjson',
  'cdk.out/manifest.json',
  'client/node_modules/b/index.js',
  'coverage/index.html',
  'ids.txt',
  'node_modules/a/index.js',
  'npm-debug.log',
  'plants.ndjson',
];

/** A folder as it is after work: with our own .gitignore. */
function makeFolder(folder: string): string {
  for (const file of [...KEPT, ...LEFT]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), file === '.gitignore' ? read(file) : file);
  }
  return folder;
}

test.skipIf(!hasGit)(
  'an archive, a clone, and a folder of another repository have the files that .gitignore allows',
  () => {
    const archive = makeFolder(temporaryFolder());
    expect([[...readTree(archive).keys()], commitOf(archive)]).toEqual([KEPT, undefined]);

    const clone = makeFolder(temporaryFolder());
    const commit = commitAll(clone);
    expect([[...readTree(clone).keys()], commitOf(clone)]).toEqual([KEPT, commit]);

    // Which ignores all of it.
    const other = temporaryFolder();
    const inside = makeFolder(path.join(other, 'services/store'));
    writeFileSync(path.join(other, '.gitignore'), 'services/\n');
    commitAll(other);
    expect([[...readTree(inside).keys()], commitOf(inside)]).toEqual([KEPT, undefined]);
  },
);

test.skipIf(!hasGit)('a file that differs is written, and a script may be executed', () => {
  const folder = temporaryFolder();
  const before = new Map([['a/b.ts', '1']]);
  expect(writeTree(folder, new Map([...before, ['c', '#!/bin/sh\n']]), before)).toEqual(['c']);
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  expect(git(folder, 'ls-files', '--stage')).toMatch(/^100755 \w+ 0\tc$/);
});
