import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { oneLine } from '../../cli/print.ts';

/** The most characters of a reason to show. */
const SHOWN = 300;

/** A statement about the stages, tested. */
export interface Statement {
  readonly name: string;
  readonly holds: boolean;
  /** Why it does not hold. */
  readonly reason?: string;
}

/** Statements that do not hold here, for a reason that is not ours. */
export interface Expected {
  readonly fault: string;
  readonly statements: readonly string[];
}

/** Reads expected-failures.yaml. */
export function readExpected(): Expected[] {
  return parse(readFileSync(path.join(import.meta.dirname, 'expected-failures.yaml'), 'utf8'));
}

/**
 * Compares the statements that do not hold with the expected ones: both must be the same.
 * @returns a sentence for each difference
 */
export function deviations(statements: readonly Statement[], expected: readonly Expected[]): string[] {
  const isExpected = new Set(expected.flatMap((each) => each.statements));
  const tested = new Set<string>();
  const found: string[] = [];
  for (const { name, holds, reason = 'no reason given' } of statements) {
    if (tested.has(name)) found.push(`stated twice: ${name}`);
    tested.add(name);
    if (holds && isExpected.has(name)) found.push(`holds, although it is listed: ${name}`);
    if (!holds && !isExpected.has(name))
      found.push(`does not hold: ${name}: ${oneLine(reason).slice(0, SHOWN)}`);
  }
  for (const name of isExpected) if (!tested.has(name)) found.push(`listed, but not tested: ${name}`);
  return found;
}
