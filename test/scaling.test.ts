import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STAGES } from '../infra/stages.ts';

const SCALING = readFileSync(new URL('../docs/scaling.md', import.meta.url), 'utf8');
const rows = [...SCALING.matchAll(/^\| stage throttle, ([\w-]+) \|.*$/gm)].map(
  ([row, name = '']) => [row, name] as const,
);

test('docs/scaling.md has the throttle of at least one stage', () => expect(rows.length).toBeGreaterThan(0));

test.each(rows)('docs/scaling.md has the throttle of the stage file: %s', (row, name) => {
  const { rate, burst } = STAGES[name]?.throttle ?? {};
  expect(row).toContain(`rate ${rate?.toLocaleString('en-US')}, burst ${burst?.toLocaleString('en-US')} `);
});
