import type { Measured } from '../measure.ts';
import { noise } from '../statistics.ts';
import { type Gate, medianOf, verdict } from './gates.ts';

type Column = readonly [title: string, cell: (measured: Measured) => string];

const fixed = (digits: number) => (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(digits));
const [whole, tenth, thousandth] = [fixed(0), fixed(1), fixed(3)];

const FIGURES: readonly Column[] = [
  ['subject', ({ subject }) => subject.name],
  ['cold, million instructions', ({ instructions }) => tenth((instructions ?? Number.NaN) / 1e6)],
  ['cold CPU ms', ({ coldCpu }) => tenth(medianOf(coldCpu))],
  ['cold wall ms', ({ coldWall }) => tenth(medianOf(coldWall))],
  ['± (middle half)', ({ coldCpu }) => `${whole(100 * noise(coldCpu))} %`],
  ['warm CPU ms', ({ warmCpu }) => thousandth(medianOf(warmCpu))],
  ['bad JSON CPU ms', ({ badJsonCpu }) => thousandth(medianOf(badJsonCpu))],
  ['no token CPU ms', ({ noTokenCpu }) => thousandth(medianOf(noTokenCpu))],
  ['peak MB', ({ peak }) => tenth(medianOf(peak))],
  ['kB', ({ weight }) => whole(weight.raw / 1000)],
  ['gzipped', ({ weight }) => whole(weight.gzipped / 1000)],
  ['calls', ({ calls }) => `${calls.first}, ${calls.known}`],
  ['log bytes', ({ logBytes }) => whole(logBytes)],
  ['built-ins', ({ builtins }) => String(builtins.length)],
  ['does not do', ({ subject }) => subject.lacks],
];

/** Every figure of every subject, as a Markdown table. */
export function figures(all: readonly Measured[]): string {
  return markdown(
    FIGURES.map(([title]) => title),
    all.map((measured) => FIGURES.map(([, cell]) => cell(measured))),
  );
}

/** The gates with their verdicts, as a Markdown table. */
export function gateTable(gates: readonly Gate[]): string {
  const number = (value: number | undefined, { unit }: Gate) =>
    value === undefined || Number.isNaN(value) ? '' : `${value.toFixed(unit === '' ? 3 : 0)}${unit}`;
  return markdown(
    ['figure', 'measured', 'gate', 'stretch', ''],
    gates.map((gate) => [
      gate.figure,
      number(gate.value, gate),
      number(gate.gate, gate),
      number(gate.stretch, gate),
      verdict(gate),
    ]),
  );
}

function markdown(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(titles),
    line(titles.map((_, column) => (column === 0 ? '---' : '--:'))),
    ...rows.map(line),
  ].join('\n');
}
