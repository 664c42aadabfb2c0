import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { findStage } from '../infra/find-stage.ts';
import { FAULTS } from '../test/faults/faults.ts';
import { copyOf, only } from '../test/infra/synth.ts';
import { bundleFile } from '../test/support/function-under-test.ts';
import { read } from '../test/support/project.ts';

const evidence = read('lab/evidence.md').replace(/\s+/g, ' ');
const { MemorySize } = only(copyOf(findStage('prod')), 'AWS::Lambda::Function').Properties;

test.each([
  `The stack uses ${MemorySize.toLocaleString('en-US')} MB`,
  `${FAULTS.length * 4} of ${FAULTS.length * 4} cells`,
  `${FAULTS.filter(({ kind }) => kind === 'unknown').length} with a taken id`,
])('the evidence agrees with the code: %s', (text) => expect(evidence).toContain(text));

test('the evidence has the size of the bundle, within 2 %', async () => {
  const bytes = readFileSync(await bundleFile());
  const documented = /^\| \*\*ours\*\* .* (\d+) \| (\d+) \|$/m.exec(read('lab/evidence.md')) ?? [];
  for (const [n, { length }] of [bytes, gzipSync(bytes, { level: 9 })].entries())
    expect(Math.abs(Number(documented[n + 1]) * 1000 - length) / length).toBeLessThan(0.02);
});
