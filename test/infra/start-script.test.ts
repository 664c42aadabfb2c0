import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { copyStartScript, usesStartScript } from '../../infra/start-script.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { UNPROTECTED } from './synth.ts';

const WARNING =
  /^The function of trial starts without lambda\/start\.sh, and more slowly: Windows cannot mark a file as executable\. /;

test.each<[NodeJS.Platform, boolean | undefined, boolean, number]>([
  ['linux', undefined, true, 0],
  ['darwin', true, true, 0],
  ['linux', false, false, 0],
  ['win32', undefined, false, 1],
  ['win32', false, false, 0],
])(
  'on %s with the setting %s, the script is used: %s, warnings: %i',
  (platform, startScript, used, warnings) => {
    const stack = new Stack(new App({ context: { 'aws:cdk:disable-stack-trace': true } }));
    expect(usesStartScript(stack, { ...UNPROTECTED, startScript }, platform)).toBe(used);
    const texts = stack.node.metadata.flatMap(({ type, data }) => (type === 'aws:cdk:warning' ? [data] : []));
    expect(texts).toEqual(Array(warnings).fill(expect.stringMatching(WARNING)));
  },
);

test.skipIf(process.platform === 'win32')('the copy is executable for everybody, whatever the umask', () => {
  const folder = temporaryFolder();
  const umask = process.umask(0o077);
  copyStartScript(folder);
  process.umask(umask);
  const copy = path.join(folder, 'start.sh');
  expect((statSync(copy).mode & 0o777).toString(8)).toBe('755');
  expect(readFileSync(copy, 'utf8')).toMatch(/^#!\/bin\/sh\n[^\r]*\nexec "\$@"\n$/);
});

test('a file system that cannot mark the script as executable ends the build', () => {
  const folder = temporaryFolder();
  const chmod = () => undefined;
  expect(() => copyStartScript(folder, chmod)).toThrow(/start\.sh cannot be marked as executable, and the /);
});
