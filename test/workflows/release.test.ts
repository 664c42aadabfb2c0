import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isExhaustive } from '../support/exhaustive.ts';
import { ROOT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

const PREPACK = 'mkdir -p dist && touch dist/index.js';
const NOTES = '## [1.2.3] - 2026-01-31\n\n- [Errors](docs/errors.md)\n\n## [1.2.2]\n\n- old\n';
// npm pack names the packed client, then the script calls gh, which here prints its words and the notes.
const MADE =
  /^service-client-1\.2\.3\.tgz\nrelease create v1\.2\.3 .+ files\/service-client-1\.2\.3\.tgz files\/sbom\.cdx\.json\n\n- \[Errors\]\(\S+\/v1\.2\.3\/docs\/errors\.md\)\n\n$/;
test
  .runIf(isExhaustive('the script of a release'))
  .each<[string, { notes?: string; prepack?: string }, number, RegExp]>([
    ['makes a release', {}, 0, MADE],
    ['unreleased', { notes: NOTES.replace('2026-01-31', 'Unreleased') }, 1, /^CHANGELOG.md has no notes/],
    ['an empty client', { prepack: 'true' }, 1, /^The packed client lacks dist\/index.js/],
  ])('a release: %s', (_, { notes = NOTES, prepack = PREPACK }, code, said) => {
  const folder = temporaryFolder();
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text, { mode: 0o755 });
  for (const each of ['client', 'node_modules']) mkdirSync(path.join(folder, each));
  symlinkSync('../client', path.join(folder, 'node_modules/service-client'));
  write('package.json', '{"name":"service","version":"1.2.3","workspaces":["client"]}');
  write(
    'client/package.json',
    JSON.stringify({ name: 'service-client', version: '1.2.3', files: ['dist'], scripts: { prepack } }),
  );
  write('CHANGELOG.md', notes);
  write('gh', '#!/bin/sh\necho "$@"\nfor file; do case $file in *.md) cat "$file";; esac; done\n');
  const { status, stdout, stderr } = spawnSync(
    'bash',
    [path.join(ROOT, '.github/make-release.sh'), 'v1.2.3', 'files'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, npm_config_ignore_scripts: 'true' },
    },
  );
  expect([status, code === 0 ? stdout : stderr]).toEqual([code, expect.stringMatching(said)]);
});
