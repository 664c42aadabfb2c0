import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cdkCommand } from './cdk-options.ts';

test('on Windows, Node runs the CDK without a shell', () => {
  const [program, ...words] = cdkCommand('win32');
  const { status, stdout } = spawnSync(program, [...words, '--version'], { encoding: 'utf8' });
  expect([program, status]).toEqual([process.execPath, 0]);
  expect(stdout).toMatch(/^2\.\d+\.\d+ /);
});
