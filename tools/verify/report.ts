import { table } from '../../terminal/command-line.ts';
import { type Colors, oneLine } from '../../terminal/print.ts';
import { type Result, STOPPED } from './check.ts';

/** The number of checks by verdict. */
export interface Summary {
  readonly held: number;
  readonly didNotHold: number;
  readonly notJudged: number;
  /** Whether the service stopped responding during the run, so that there is no verdict on it. */
  readonly hasStopped: boolean;
}

/** Counts the verdicts. */
export function summaryOf(results: readonly Result[]): Summary {
  const count = (verdict: Result['verdict']) => results.filter((each) => each.verdict === verdict).length;
  return {
    held: count('held'),
    didNotHold: count('did not hold'),
    notJudged: count('not judged'),
    hasStopped: results.some(({ reasons }) => reasons[0] === STOPPED),
  };
}

/** The result of the run, in one line. */
export function verdictOf({ held, didNotHold, notJudged, hasStopped }: Summary, baseUrl: string): string {
  const counts = `${held} rules held, ${didNotHold} did not hold, ${notJudged} not judged`;
  if (hasStopped) return `${baseUrl} stopped responding: ${counts}.`;
  return didNotHold === 0
    ? `${baseUrl} conforms to the contract: ${counts}.`
    : `${baseUrl} violates the contract: ${counts}.`;
}

/** The colors of a {@link report}. */
export const COLORS: Colors = { red: /^Did not hold$/m };

/** The results as text: a table by group, then the rules that did not hold or were not judged, with the reasons. */
export function report(results: readonly Result[]): string {
  const groups = Object.entries(Object.groupBy(results, ({ group }) => group));
  const row = (name: string, { held, didNotHold, notJudged }: Summary) => [
    name,
    String(held || '-'),
    String(didNotHold || '-'),
    String(notJudged || '-'),
  ];
  const rows = [
    ['', 'held', 'did not hold', 'not judged'],
    ...groups.map(([name, own = []]) => row(name, summaryOf(own))),
    row('total', summaryOf(results)),
  ];
  return [table(rows, 'lrrr'), ...broken(results), ...open(results)].join('\n\n');
}

function broken(results: readonly Result[]): string[] {
  const found = results.filter(({ verdict }) => verdict === 'did not hold');
  const lines = found.map(
    ({ group, rule, reasons }) => `  ${group}: ${rule}\n    ${reasons.map(oneLine).join('\n    ')}`,
  );
  return found.length === 0 ? [] : [`Did not hold\n${lines.join('\n')}`];
}

function open(results: readonly Result[]): string[] {
  const found = results.filter(({ verdict }) => verdict === 'not judged');
  const byReason = Object.entries(Object.groupBy(found, ({ reasons }) => oneLine(reasons.join('; '))));
  const lines = byReason.map(([reason, own = []]) =>
    [`  ${reason}`, ...own.map(({ rule }) => `    ${rule}`)].join('\n'),
  );
  return found.length === 0 ? [] : [`Not judged\n${lines.join('\n')}`];
}
