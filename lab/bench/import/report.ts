import { type Gate, median, medianRatio, printGates, printTable } from '../../figures.ts';
import type { Figures } from './measure.ts';

/** The figures of each subject, such as `now, 32`, one of each round. */
export type Measured = ReadonlyMap<string, readonly Figures[]>;

/**
 * Prints the medians, and what is wanted of an import, compared with commit c794ec3f (`--before`).
 * @returns whether all gates passed
 */
export function report(measured: Measured, inFlight: readonly number[]): boolean {
  const of = (subject: string, what: keyof Figures) =>
    (measured.get(subject) ?? []).map((figures) => figures[what]);
  const rows = [...measured.keys()].map((name) => [
    name,
    median(of(name, 'cpu')).toFixed(2),
    median(of(name, 'rate')).toFixed(0),
    median(of(name, 'peak')).toFixed(0),
  ]);
  printTable([['', 'CPU, s', 'plants/s', 'peak, MB'], ...rows]);
  const gate = (what: keyof Figures, name: string, other: string, wanted: Gate[2], limit: number): Gate => {
    return [`${what}: ${name} / ${other}`, medianRatio(of(name, what), of(other, what)), wanted, limit];
  };
  return printGates(
    inFlight.flatMap((n) => [
      gate('cpu', `now, ${n}`, `before, ${n}`, '<=', n > 32 ? 0.5 : 0.45),
      gate('rate', `now, ${n}`, `before, ${n}`, '>=', 2),
      gate('peak', `now, ${n}`, `before, ${n}`, '<=', 1),
    ]),
  );
}
