import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { here } from './places.ts';
import type { Mutant } from './plan.ts';

/** A mutant that no test needs to detect, as `judged.yaml` names it: by texts, so that it may move to another line. */
export type Judged = Pick<Mutant, 'file' | 'code' | 'original' | 'replacement'>;

/** The judged mutants, in groups with the same reason. */
type Groups = readonly { readonly why: string; readonly mutants: readonly Judged[] }[];

/** Reads the judged mutants of some files. */
export function readJudged(files: readonly string[]): Judged[] {
  const groups: Groups = parse(readFileSync(here('judged.yaml'), 'utf8')) ?? [];
  return groups.flatMap(({ mutants }) => mutants).filter(({ file }) => files.includes(file));
}

/** A mutant as `judged.yaml` names it; with whitespace in one form, because YAML folds lines. */
export function nameOf({ file, code, original, replacement }: Judged): Judged {
  const texts = { code: oneLine(code), original: oneLine(original), replacement: oneLine(replacement) };
  return { file, ...texts };
}

/** Whether two mutants have the same name. */
export function isSame(one: Judged, other: Judged): boolean {
  return JSON.stringify(nameOf(one)) === JSON.stringify(nameOf(other));
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
