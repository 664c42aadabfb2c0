import { writeFileSync } from 'node:fs';
import type { Mutant } from './plan.ts';

/**
 * Prints the survivors and the score of each file, and writes `mutation/report.json`.
 * @param killedBy for each killed mutant's id, the test that detected it
 * @returns the share of killed mutants, in per cent
 */
export function report(mutants: readonly Mutant[], killedBy: ReadonlyMap<string, string>): number {
  console.info('\nNot detected:');
  for (const { id, file, line, kind, original, replacement } of mutants) {
    if (killedBy.has(id)) continue;
    console.info(`\n${file}:${line} ${kind}\n  - ${shown(original)}\n  + ${shown(replacement)}`);
  }
  console.info();
  for (const [file, ofFile] of Map.groupBy(mutants, (mutant) => mutant.file))
    printScore(file, ofFile, killedBy);
  const results = mutants.map((mutant) => ({ ...mutant, killedBy: killedBy.get(mutant.id) }));
  writeFileSync('mutation/report.json', `${JSON.stringify(results, undefined, 2)}\n`);
  return printScore('together', mutants, killedBy);
}

function printScore(name: string, mutants: readonly Mutant[], killedBy: ReadonlyMap<string, string>): number {
  const killed = mutants.filter(({ id }) => killedBy.has(id)).length;
  const percent = (100 * killed) / mutants.length;
  const counts = `${String(killed).padStart(4)} of ${String(mutants.length).padStart(4)}`;
  console.info(`${name.padEnd(42)} ${counts}  ${percent.toFixed(1).padStart(5)} %`);
  return percent;
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 117)}…` : line;
}
