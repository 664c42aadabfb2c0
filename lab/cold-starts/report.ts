import { table } from '../../terminal/command-line.ts';
import type { LatestVersion } from './latest-version.ts';
import type { Sample } from './measure.ts';

/** A cold start with its INIT. */
type ColdStart = Sample & { readonly initMs: number };

const ROWS: readonly (readonly [name: string, value: (sample: ColdStart) => number])[] = [
  ['INIT', ({ initMs }) => initMs],
  ['first request', ({ requestMs }) => requestMs],
  ['sum', ({ initMs, requestMs }) => initMs + requestMs],
];
const PERCENTILES = [50, 90, 99];

/** The figures with and without the script as text: for each, its percentiles in milliseconds. */
export function report(facts: LatestVersion['facts'], samples: readonly Sample[]): string {
  const cold = samples.filter((sample): sample is ColdStart => sample.initMs !== undefined);
  const warm = samples.length - cold.length;
  const parts = [true, false].map((withScript) => {
    const kind = cold.filter((sample) => sample.withScript === withScript);
    const title = `${withScript ? 'with' : 'without'} the start script, ${kind.length} cold starts`;
    if (kind.length === 0) return title;
    const rows = ROWS.map(([name, value]) => [
      name,
      ...PERCENTILES.map((at) => percentile(kind.map(value), at)),
    ]);
    return `${title}\n${table([['ms', ...PERCENTILES.map((at) => `p${at}`)], ...rows], 'lrrr')}`;
  });
  const { memory, architecture, runtime = 'unknown runtime' } = facts;
  return [
    `${memory} MB, ${architecture}, ${runtime}`,
    ...parts,
    ...(warm > 0 ? [`${warm} requests met a process that was already there, and are not included.`] : []),
  ].join('\n\n');
}

/** The smallest value that at least so many per cent of the values do not exceed. */
function percentile(values: readonly number[], percent: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN).toFixed(1);
}
