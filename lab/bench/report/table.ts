import type { Measured } from '../measure.ts';
import { isOurs } from '../subjects.ts';
import { MILLIONS, type Result } from './gates.ts';
import { asDeployed, counted, likeForLike } from './ratios.ts';
import { median, noise } from './statistics.ts';

type Column = readonly [title: string, cell: (measured: Measured, ours: Measured | undefined) => string];

const fixed =
  (digits: number) =>
  (value = Number.NaN) =>
    Number.isNaN(value) ? '–' : value.toFixed(digits);
const [whole, tenth, thousandth] = [fixed(0), fixed(1), fixed(3)];
const millions = (value = Number.NaN) => tenth(value / 1e6);

const FIGURES: readonly Column[] = [
  ['subject', ({ subject }) => subject.name],
  ['cold, million instructions, through the script', (it) => millions(counted(it, 'script'))],
  ['INIT', (it) => millions(counted(it, 'script', 'init'))],
  ['first request', (it) => millions(counted(it, 'script', 'first'))],
  ['other threads', (it) => millions(counted(it, 'script', 'threads'))],
  ['without the script', (it) => millions(counted(it, 'plain'))],
  ['ours / this, like for like', (it, ours) => thousandth(ours && likeForLike(ours, it))],
  ['ours / this, as deployed', (it, ours) => thousandth(ours && asDeployed(ours, it))],
  ['cold CPU ms, through the script', ({ cold }) => tenth(median(cold.script.cpu))],
  ['INIT CPU ms', ({ cold }) => tenth(median(cold.script.initCpu))],
  ['without the script, CPU ms', ({ cold }) => tenth(median(cold.plain.cpu))],
  ['cold wall ms', ({ cold }) => tenth(median(cold.script.wall))],
  ['spread of cold CPU', ({ cold }) => `${whole(100 * noise(cold.script.cpu))} %`],
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
  const ours = all.find(({ subject }) => isOurs(subject));
  return markdown(
    FIGURES.map(([title]) => title),
    all.map((measured) => FIGURES.map(([, cell]) => cell(measured, ours))),
  );
}

/** The gates with their verdicts, as a Markdown table. */
export function gateTable(results: readonly Result[]): string {
  const rows = results.map(({ figure, peer, measured, gate, stretch, unit, verdict }) => {
    const number = (value: number) =>
      unit === undefined || unit === MILLIONS ? value.toFixed(3) + (unit ?? '') : `${whole(value)}${unit}`;
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
