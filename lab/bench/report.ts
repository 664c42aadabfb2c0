import { type Gate, median, medianRatio, printGates, printTable } from '../figures.ts';
import type { ColdStart } from './callgrind.ts';
import type { Start } from './drive.ts';
import { type Measured, startOf } from './measure.ts';

/** The name of this checkout's own function. */
export const OURS = 'ours';

/**
 * Limits for the instructions of our cold start, divided by a peer's. No gate is a time, which depends on the load. Each is the value
 * measured when it was set, and 3 %: cold starts of one program differ by 1 %; lab/evidence.md has the figures of 2026-11-26.
 */
const COLD_GATES = {
  'client-dynamodb': 0.835,
  'Powertools event handler': 0.68,
};
/** In million instructions: 17.1 on 2026-11-29, when the calls of the store began to note for the log what they repeat, and 2 %. */
const FIRST_REQUEST_GATE = 17.4;
/**
 * Peak memory differs by 5 %, so its gate has more room; it was 0.7 with the flags at 1,024 MB, where peers collect garbage later.
 */
const PEAK_GATE = 0.8;

/** Million instructions of a cold start, or of a part of it: the median of the counts; NaN without counts. */
const counted = (
  { counts, subject }: Measured,
  part: keyof ColdStart = 'sum',
  start: Start = startOf(subject),
) => median(counts[start].map((count) => count[part])) / 1e6;

const fixed = (digits: number, value: number) => (Number.isNaN(value) ? '–' : value.toFixed(digits));

const COLUMNS: readonly (readonly [string, (measured: Measured) => string])[] = [
  ['subject', ({ subject }) => subject.name],
  ['INIT, million instructions', (it) => fixed(1, counted(it, 'init'))],
  ['first request', (it) => fixed(1, counted(it, 'first'))],
  ['sum, all threads', (it) => fixed(1, counted(it))],
  ['sum without the start script', (it) => fixed(1, counted(it, 'sum', 'plain'))],
  ['cold CPU, ms', ({ coldCpu }) => fixed(1, median(coldCpu))],
  ['warm CPU, ms', ({ warmCpu }) => fixed(3, median(warmCpu))],
  ['peak, MB', ({ peak }) => fixed(1, median(peak))],
  ['bundle, kB', ({ size }) => fixed(0, size.raw / 1000)],
  ['gzipped, kB', ({ size }) => fixed(0, size.gzipped / 1000)],
];

/**
 * Prints every figure of every subject and the gates, as Markdown tables. Without counts, their gates are left out.
 * @returns whether ours passes each gate
 */
export function report(all: readonly Measured[]): boolean {
  const titles = COLUMNS.map(([title]) => title);
  printTable([titles, ...all.map((measured) => COLUMNS.map(([, cell]) => cell(measured)))]);
  const of = (name: string) => all.find(({ subject }) => subject.name === name) as Measured;
  const ours = of(OURS);
  return printGates([
    ...Object.entries(COLD_GATES).map(
      ([peer, gate]): Gate => [
        `cold instructions, ratio to ${peer}`,
        counted(ours) / counted(of(peer)),
        '<=',
        gate,
      ],
    ),
    ['first request, million instructions', counted(ours, 'first'), '<=', FIRST_REQUEST_GATE],
    [
      'peak memory, ratio to client-dynamodb',
      medianRatio(ours.peak, of('client-dynamodb').peak),
      '<=',
      PEAK_GATE,
    ],
  ]);
}
