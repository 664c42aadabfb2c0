import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STAGES } from '../infra/stages.ts';

const SCALING = readFileSync(new URL('../docs/scaling.md', import.meta.url), 'utf8');

test.each(Object.entries(STAGES))('docs/scaling.md has the throttle of stage %s', (_name, { throttle }) => {
  const burst = throttle.burst.toLocaleString('en-US');
  expect(SCALING).toContain(`rate ${throttle.rate}, burst ${burst}`);
});
