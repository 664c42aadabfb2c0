import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isThere } from '../support/needs.ts';
import { ROOT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

const PROGRAMS = ['find', 'grep', 'sha256sum', 'tar'];
const runs = isThere(
  PROGRAMS.every((program) => spawnSync(program, ['--version']).status === 0),
  {
    tests: 'what the workflow unpacks',
    why: `there are not all of ${PROGRAMS.join(', ')} here.`,
    required: process.env.REQUIRE_ALL === '1',
  },
);

/** Unpacks an archive of cdk.out where a file lies beside it. @param names what is in the archive @param change of the folder that is packed */
function unpack(names: readonly string[], change: (folder: string) => void, digest?: string) {
  const [packed, temp, work] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const archive = path.join(temp, 'cdk-out/cdk.out.tar');
  mkdirSync(path.dirname(archive));
  mkdirSync(path.join(packed, 'cdk.out'));
  writeFileSync(path.join(packed, 'cdk.out/start.sh'), 'new', { mode: 0o755 });
  writeFileSync(path.join(packed, 'deploy.ts'), 'theirs');
  change(packed);
  writeFileSync(path.join(work, 'deploy.ts'), 'ours');
  expect(spawnSync('tar', ['-cf', archive, ...names], { cwd: packed }).status).toBe(0);
  const { status, stderr } = spawnSync(
    path.join(ROOT, '.github/unpack-cdk-out.sh'),
    [digest ?? hash('sha256', readFileSync(archive))],
    { cwd: work, encoding: 'utf8', env: { ...process.env, RUNNER_TEMP: temp } },
  );
  expect(readFileSync(path.join(work, 'deploy.ts'), 'utf8')).toBe('ours');
  const file = path.join(work, 'cdk.out/start.sh');
  return { status, stderr, mode: existsSync(file) ? statSync(file).mode & 0o777 : undefined };
}

const none = () => undefined;

test.runIf(runs)('a cdk.out is unpacked with the modes of its files', () => {
  expect(unpack(['cdk.out'], none)).toEqual({ status: 0, stderr: '', mode: 0o755 });
});

const MORE = /^The archive has more than the files of cdk\.out\.$/m;
test
  .runIf(runs)
  .each<[string, says: RegExp, names: string[], change?: (folder: string) => void, digest?: string]>([
    ['has a file of the checkout', MORE, ['cdk.out', 'deploy.ts']],
    ['has no cdk.out', MORE, ['deploy.ts']],
    [
      'has a link, which would be followed',
      MORE,
      ['cdk.out'],
      (folder) => symlinkSync('../deploy.ts', path.join(folder, 'cdk.out/asset')),
    ],
    ['is another one', /did NOT match/, ['cdk.out'], none, '0'.repeat(64)],
  ])('an archive is refused if it %s', (_, says, names, change = none, digest) => {
  const refused = { status: 1, stderr: expect.stringMatching(says), mode: undefined };
  expect(unpack(names, change, digest)).toEqual(refused);
});
