import { columns } from '../../cli/command-line.ts';
import { oneLine, print } from '../../cli/print.ts';
import { type FileNames, TO_GO_ON } from './names.ts';
import { type InputRecord, type Refusal, shownName } from './record.ts';

/** So many different names are counted: a file may have others in every line. */
const MOST_NAMES = 1000;

/** Counts what becomes of the lines of a file, and reports it. */
export function outcome() {
  let stored = 0;
  /** How many lines were refused, by the error, and how many had a name that a plant does not have. */
  const refused = new Map<number, number>();
  const unknown = new Map<string, number>();
  let first = { line: Infinity, message: '' };

  return {
    store(): void {
      stored += 1;
    },
    refuse({ line, content }: InputRecord, { error, message }: Refusal): void {
      // Requests may finish in any order.
      if (line < first.line) first = { line, message };
      refused.set(error, (refused.get(error) ?? 0) + 1);
      for (const name of ('unknown' in content && content.unknown) || [])
        if (unknown.size < MOST_NAMES || unknown.has(name)) unknown.set(name, (unknown.get(name) ?? 0) + 1);
    },
    hasRefused: () => refused.size > 0,
    /** Prints it. */
    report({ names, seconds, refusedFile, warning }: Run): void {
      const byError = [...refused].sort(([a], [b]) => a - b);
      const lines = byError.reduce((sum, [, count]) => sum + count, stored);
      const rows = [
        ['stored', String(stored)],
        ...byError.map(([error, count]) => [`refused with ${error}`, String(count)]),
        ['time', `${Math.round(seconds)} s`],
        ['rate', `${Math.round(lines / seconds)}/s`],
      ];
      print(columns(rows, 'rr').join('\n'));
      const leftOut = names.leftOut();
      if (leftOut.length > 0)
        print(`\nLeft out: ${leftOut.map(({ name, count }) => inLines(name, count)).join(', ')}.`);
      const missing = names.missing().map(({ option, name }) => `${shown(name)} (--${option})`);
      if (missing.length > 0) print(`\nNo line has ${missing.join(', ')}.`);
      if (warning !== undefined) print(`\n${warning}`);
      if (refused.size === 0) return;
      if (unknown.size > 0) {
        const all = [...unknown].map(([name, count]) => inLines(name, count));
        print(`\nA plant has none of these, which the refused lines have: ${all.join(', ')}. ${TO_GO_ON}`);
      }
      print(`\nThe first refused line is ${first.line}: ${oneLine(first.message)}`);
      print(`Refused lines: ${refusedFile}`);
    },
  };
}

interface Run {
  readonly names: FileNames;
  readonly seconds: number;
  readonly refusedFile: string;
  readonly warning: string | undefined;
}

function inLines(name: string, count: number): string {
  return `${shown(name)} in ${count} ${count === 1 ? 'line' : 'lines'}`;
}

function shown(name: string): string {
  return oneLine(shownName(name));
}
