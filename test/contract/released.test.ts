import { expect, test } from 'vitest';
import { judge, readReleased } from '../../tools/contract/released.ts';
import { readSources } from '../../tools/contract/sources.ts';
import { surfaceOf } from '../../tools/contract/surface.ts';

// If this fails: "What a release promises" in CONTRIBUTING.md. Each line is one for the changelog.
test('nothing that clients and operators rely on has changed since the last release, unless its major version went up', async () => {
  const { lines, isRefused } = judge(readReleased(), surfaceOf(await readSources()));
  expect(isRefused ? lines : []).toEqual([]);
});
