import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REFUSED } from '../../test/documents/prices.ts';
import { ROOT, read } from '../../test/support/project.ts';

const rows = globSync('operations/*/manifest.yaml', { cwd: ROOT }).flatMap((file) => [
  ...read(file).matchAll(/\| 1 M × ([\d.]+) \w+ units? × ([\d.]+) per million.* \| ([\d.]+) \|/g),
]);

test('the prices of the operations are those of a request, and of their units', () => {
  expect(rows.map(([, , , price]) => price)).toEqual(
    rows.map(([, units, each]) => (REFUSED + Number(units) * Number(each)).toFixed(2)),
  );
  expect(rows).toHaveLength(5);
});
