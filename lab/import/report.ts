import { columns } from '../../cli/command-line.ts';
import { print } from '../../cli/print.ts';
import type { Figures } from './measure.ts';

/** The figures of each subject, such as `now, 32`, one of each round. */
export type Measured = ReadonlyMap<string, readonly Figures[]>;

type Gate = readonly [what: keyof Figures, of: string, to: string, is: '<=' | '>=', limit: number];

/** What is wanted of an import, compared with commit c794ec3f (`--before`), and with autocannon. */
function gatesOf(inFlight: readonly number[]): Gate[] {
  const each = inFlight.flatMap((n): Gate[] => [
    ['cpu', `now, ${n}`, `before, ${n}`, '<=', 0.45],
    ['rate', `now, ${n}`, `before, ${n}`, '>=', 2],
    ['peak', `now, ${n}`, `before, ${n}`, '<=', 1],
    ['cpu', `now, ${n}`, `autocannon, ${n}`, '<=', 4],
  ]);
  return [...each, ['cpu', 'now, 256', 'now, 32', '<=', 1]];
}

/** Prints the medians, and for each gate the median of the ratios in each round. @returns whether all gates passed */
export function report(measured: Measured, inFlight: readonly number[]): boolean {
  const rows = [...measured].map(([name, all]) => [
    name,
    median(all.map(({ cpu }) => cpu)).toFixed(2),
    median(all.map(({ rate }) => rate)).toFixed(0),
    median(all.map(({ peak }) => peak)).toFixed(0),
  ]);
  print(columns([['', 'CPU, s', 'plants/s', 'peak, MB'], ...rows], 'lrrr').join('\n'));
  let hasPassed = true;
  const verdicts = gatesOf(inFlight).flatMap(([what, of, to, is, limit]) => {
    const [first, second] = [measured.get(of), measured.get(to)];
    if (!first || !second) return [];
    const ratio = median(
      first.map((figures, round) => figures[what] / (second[round]?.[what] ?? Number.NaN)),
    );
    const passes = is === '<=' ? ratio <= limit : ratio >= limit;
    hasPassed &&= passes;
    return [[passes ? 'passed' : 'FAILED', `${what}: ${of} / ${to}`, ratio.toFixed(2), `${is} ${limit}`]];
  });
  print(`\n${columns(verdicts, 'llrl').join('\n')}`);
  return hasPassed;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
