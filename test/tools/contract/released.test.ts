import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { judge, keepReleased, readReleased } from '../../../tools/contract/released.ts';
import { temporaryFolder } from '../../support/local-process.ts';
import { runTool } from '../run-tool.ts';

const { versions, ...released } = readReleased();
const { 40901: taken, ...errors } = released.errors;

test('a release is kept, unless it breaks the one before without a new major version', () => {
  const file = path.join(temporaryFolder(), 'released.json');
  const first = { versions: { ...versions, contract: '1.0.0' }, ...released };
  const breaking = { ...first, errors };
  keepReleased(first, file);
  expect(readReleased(file)).toEqual(first);
  expect(() => keepReleased(breaking, file)).toThrow('Not kept: npm run contract must succeed first.');
  expect(readReleased(file)).toEqual(first);
  const second = { ...breaking, versions: { ...versions, contract: '2.0.0' } };
  keepReleased(second, file);
  expect(JSON.parse(readFileSync(file, 'utf8')).errors).not.toHaveProperty('40901');
  // Each release may add, also without a new major version.
  keepReleased({ ...second, errors: { ...errors, 40901: taken ?? '' } }, file);
});

test('the verdict names the versions whose major number has not gone up', () => {
  const before = { versions: { contract: '1.2.0', client: '1.0.0', service: '1.1.0' }, ...released };
  const { exports: _, ...client } = released.client;
  const after = { ...before, errors, client };
  const [, ...others] = judge(before, after).lines;
  expect(judge(before, after).isRefused).toBe(true);
  expect(others).toEqual([
    expect.stringMatching(/^- \*\*Breaking:\*\* client: `exports` is gone; it was \{/),
    'Not compatible with contract 1.2.0, client 1.0.0: see "What a release promises" in CONTRIBUTING.md.',
  ]);
  const major = { ...after, versions: { ...before.versions, contract: '2.0.0', client: '2.0.0' } };
  expect(judge(before, major)).toEqual({
    lines: [
      ...judge(before, after).lines.slice(0, 2),
      'Compatible with the last release, or its major version went up.',
    ],
    isRefused: false,
  });
});

test('a file that cannot be read is reported', () => {
  expect(() => readReleased('none.json')).toThrow('none.json cannot be read (ENOENT).');
});

test('npm run contract compares this working copy', async () => {
  const { code, out, err } = await runTool('contract', []);
  expect({ code, out, err }).toEqual({
    code: 0,
    out: 'Compatible with the last release, or its major version went up.\n',
    err: '',
  });
});
