import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { table } from '../../terminal/command-line.ts';
import { isSame, type Judged, nameOf } from './judged.ts';
import { here } from './places.ts';
import type { Mutant, Result } from './plan.ts';

/** The counts of a report. */
export interface Score {
  readonly made: number;
  readonly detected: number;
  /** How many of the detected ones showed only by a time limit. */
  readonly timeouts: number;
  /** How many of the others are in `judged.yaml`. */
  readonly judged: number;
}

/** The mutants of a target that were tried. */
export interface Tried {
  readonly name: string;
  readonly mutants: readonly Mutant[];
  /** Whether others were not tried. */
  readonly isSample: boolean;
}

/**
 * Prints the mutants that no test detected and that nobody has judged, those that only a time limit detected, the entries of
 * `judged.yaml` that are not needed, and the score of each file; writes all results to `reports/NAME.json`.
 * @param kills for each detected mutant's id, how
 */
export function report(
  { name, mutants, isSample }: Tried,
  kills: ReadonlyMap<string, Result>,
  judged: readonly Judged[],
): Score {
  const survivors = mutants.filter(({ id }) => !kills.has(id));
  const isJudged = (mutant: Mutant) => judged.some((each) => isSame(each, mutant));
  const timeouts = mutants.filter(({ id }) => kills.get(id)?.isTimeout);
  // A sample does not show which entries are needed.
  const stale = isSample ? [] : judged.filter((each) => !survivors.some((mutant) => isSame(each, mutant)));
  print(`Not detected by any test of ${name}`, survivors.filter((each) => !isJudged(each)).map(entryOf));
  print('Detected by a time limit only', timeouts.map(entryOf));
  print(
    'In judged.yaml, but detected or not made',
    stale.map((each) => stringify([each], YAML)),
  );
  const results = mutants.map((mutant) => ({ ...mutant, ...kills.get(mutant.id) }));
  const file = here(`reports/${name}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  const scoreOf = (some: readonly Mutant[]): Score => ({
    made: some.length,
    detected: some.filter(({ id }) => kills.has(id)).length,
    timeouts: some.filter((mutant) => timeouts.includes(mutant)).length,
    judged: some.filter((mutant) => survivors.includes(mutant) && isJudged(mutant)).length,
  });
  const score = scoreOf(mutants);
  const byFile = Map.groupBy(mutants, (mutant) => mutant.file);
  printScores([...[...byFile].map(([each, some]) => [each, scoreOf(some)] as const), [name, score]]);
  return score;
}

/** The share of detected mutants among those that are not judged, in per cent. */
export function percentOf({ made, detected, judged }: Score): number {
  return made === judged ? 100 : (100 * detected) / (made - judged);
}

/** Prints a table of scores. */
export function printScores(scores: readonly (readonly [name: string, score: Score])[]): void {
  const rows = scores.map(([name, score]) => {
    const { made, detected, timeouts, judged } = score;
    const counts = [made, detected, timeouts, judged, made - detected - judged].map(String);
    return [name, ...counts, `${percentOf(score).toFixed(1)} %`];
  });
  const heads = ['', 'made', 'detected', 'by time limit', 'judged', 'open', 'score'];
  console.info(`\n${table([heads, ...rows], 'lrrrrrr')}`);
}

/** One line for each text, so that an entry can be copied into judged.yaml. */
const YAML = { lineWidth: 0 } as const;

function entryOf(mutant: Mutant): string {
  return `# ${mutant.file}:${mutant.line} ${mutant.kind}\n${stringify([nameOf(mutant)], YAML)}`;
}

function print(title: string, entries: readonly string[]): void {
  if (entries.length > 0) console.info(`\n${title}:\n\n${entries.join('')}`.trimEnd());
}
