import { styleText } from 'node:util';
import type { Result } from './check.ts';

/** How many checks came to which verdict. */
export interface Summary {
  readonly held: number;
  readonly didNotHold: number;
  readonly notJudged: number;
}

/** Counts the verdicts. */
export function summaryOf(results: readonly Result[]): Summary {
  const count = (verdict: Result['verdict']) => results.filter((each) => each.verdict === verdict).length;
  return { held: count('held'), didNotHold: count('did not hold'), notJudged: count('not judged') };
}

/** Writes the results for a person: a table of groups, what did not hold and why, and what was not judged. */
export function report(results: readonly Result[]): string {
  const groups = [...new Set(results.map(({ group }) => group))];
  const width = Math.max(...groups.map((group) => group.length), 'together'.length);
  const row = (name: string, { held, didNotHold, notJudged }: Summary) => {
    const cells = [held, didNotHold, notJudged].map((count) => String(count || '-').padStart(12));
    const [heldCell, brokenCell, openCell] = cells as [string, string, string];
    return `${name.padEnd(width)}${heldCell}${didNotHold ? styleText('red', brokenCell) : brokenCell}${openCell}`;
  };
  const lines = [
    `${''.padEnd(width)}        held did not hold  not judged`,
    ...groups.map((name) => row(name, summaryOf(results.filter(({ group }) => group === name)))),
    row('together', summaryOf(results)),
  ];
  return [lines.join('\n'), ...broken(results), ...open(results)].join('\n\n');
}

function broken(results: readonly Result[]): string[] {
  const found = results.filter(({ verdict }) => verdict === 'did not hold');
  if (found.length === 0) return [];
  const lines = found.map(({ group, rule, reasons }) => `  ${group}: ${rule}\n    ${reasons.join('\n    ')}`);
  return [`${styleText('red', 'Did not hold')}\n${lines.join('\n')}`];
}

function open(results: readonly Result[]): string[] {
  const found = results.filter(({ verdict }) => verdict === 'not judged');
  const reasons = [...new Set(found.map((each) => each.reasons.join('; ')))];
  const lines = reasons.map((reason) => {
    const rules = found.filter((each) => each.reasons.join('; ') === reason).map(({ rule }) => `    ${rule}`);
    return `  ${reason}\n${rules.join('\n')}`;
  });
  return lines.length === 0 ? [] : [`Not judged\n${lines.join('\n')}`];
}
