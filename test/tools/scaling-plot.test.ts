import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STAGES } from '../../infra/stages.ts';
import { scalingPlot } from '../../tools/scaling-plot.ts';

const read = (file: string) => readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');

test('the plot that is committed is the one that the stages of today make', () => {
  expect(read('scaling.svg')).toBe(scalingPlot());
});

test('docs/scaling.md names the throttles of dev and prod', () => {
  for (const { throttle } of [STAGES.dev, STAGES.prod]) {
    const burst = throttle.burst.toLocaleString('en-US');
    expect(read('scaling.md')).toContain(`rate ${throttle.rate}, burst ${burst}`);
  }
});
