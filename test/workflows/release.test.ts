import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isExhaustive } from '../support/exhaustive.ts';
import { ROOT, read } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

const PREPACK = 'mkdir -p dist && touch dist/index.js';
const NOTES = '## [1.2.3] - 2026-01-31\n\n- [Errors](docs/errors.md)\n\n## [1.2.2]\n\n- old\n';
// npm pack names the packed client.
const MADE = /^service-client-1\.2\.3\.tgz\n$/;
test
  .runIf(isExhaustive('the script of a release'))
  .each<[string, { notes?: string; prepack?: string }, number, RegExp]>([
    ['is packed', {}, 0, MADE],
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
  const { status, stdout, stderr } = spawnSync(
    'bash',
    [path.join(ROOT, '.github/pack-release.sh'), 'v1.2.3', 'files'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, npm_config_ignore_scripts: 'true' },
    },
  );
  expect([status, code === 0 ? stdout : stderr]).toEqual([code, expect.stringMatching(said)]);
  if (code !== 0) return;
  expect(readdirSync(path.join(folder, 'files'))).toEqual([
    'notes.md',
    'sbom.cdx.json',
    'service-client-1.2.3.tgz',
  ]);
  expect(readFileSync(path.join(folder, 'files/notes.md'), 'utf8')).toMatch(
    /^\n- \[Errors\]\(\S+\/v1\.2\.3\/docs\/errors\.md\)\n\n$/,
  );
});

test('the job that may write, and sign, runs nothing of the lock file: it makes the release of what another one has packed', () => {
  const { pack, release } = parse(read('.github/workflows/release.yml')).jobs;
  expect(pack.permissions).toEqual({ contents: 'read', actions: 'read' });
  expect(release.needs).toBe('pack');
  const used = release.steps.map(({ uses = '', run = '' }) => uses.split('@')[0] || run.split(' "')[0]);
  expect(used).toEqual(['actions/download-artifact', 'gh release create', 'actions/attest']);
});
