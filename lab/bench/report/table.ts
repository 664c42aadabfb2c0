import type { Measured } from '../measure.ts';
import type { Result } from './gates.ts';
import { median, noise } from './statistics.ts';

type Column = readonly [title: string, cell: (measured: Measured) => string];

const fixed = (digits: number) => (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(digits));
const [whole, tenth, thousandth] = [fixed(0), fixed(1), fixed(3)];

const FIGURES: readonly Column[] = [
  ['subject', ({ subject }) => subject.name],
  ['cold, million instructions', ({ instructions }) => tenth(instructions / 1e6)],
  ['cold CPU ms', ({ coldCpu }) => tenth(median(coldCpu))],
  ['cold wall ms', ({ coldWall }) => tenth(median(coldWall))],
  ['spread of cold CPU', ({ coldCpu }) => `${whole(100 * noise(coldCpu))} %`],
  ['warm CPU ms', ({ warmCpu }) => thousandth(median(warmCpu))],
  ['bad JSON CPU ms', ({ badJsonCpu }) => thousandth(median(badJsonCpu))],
  ['no token CPU ms', ({ noTokenCpu }) => thousandth(median(noTokenCpu))],
  ['peak MB', ({ peak }) => tenth(median(peak))],
  ['kB', ({ size }) => whole(size.raw / 1000)],
  ['gzipped kB', ({ size }) => whole(size.gzipped / 1000)],
  ['calls, first and later request', ({ calls }) => `${calls.first}, ${calls.known}`],
  ['log bytes', ({ logBytes }) => whole(logBytes)],
  ['built-ins', ({ builtins }) => String(builtins.length)],
  ['does not do', ({ subject }) => subject.lacks],
];

/** Every figure of every subject, as a Markdown table. */
export function figureTable(all: readonly Measured[]): string {
  return markdown(
    FIGURES.map(([title]) => title),
    all.map((measured) => FIGURES.map(([, cell]) => cell(measured))),
  );
}

/** The gates with their verdicts, as a Markdown table. */
export function gateTable(results: readonly Result[]): string {
  const rows = results.map(({ figure, peer, measured, gate, stretch, unit, verdict }) => {
    const number = (value: number) => (unit === undefined ? value.toFixed(3) : `${whole(value)}${unit}`);
    const title = peer === undefined ? figure : `${figure}, ratio to ${peer}`;
    return [title, number(measured), number(gate), stretch === undefined ? '' : number(stretch), verdict];
  });
  return markdown(['our figure', 'measured', 'gate', 'stretch', ''], rows);
}

function markdown(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = titles.map((_, column) => (column === 0 ? '---' : '--:'));
  return [line(titles), line(rule), ...rows.map(line)].join('\n');
}
