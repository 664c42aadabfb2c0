import type { Start } from './lambda-environment.ts';

/** A bundle to measure. */
export interface Subject {
  readonly name: string;
  /** A file of `peers/`, except `ours`, which is built from `lambda/`. */
  readonly entry: string;
  /** The module format that a peer is bundled as. */
  readonly format: 'cjs' | 'esm';
  /** The root of another checkout of this project to build instead of this one. */
  readonly checkout?: string;
}

/** All subjects, in the order of the tables. */
const SUBJECTS: readonly Subject[] = [
  { name: 'empty handler', entry: 'empty', format: 'cjs' },
  { name: 'by hand, no SDK', entry: 'by-hand', format: 'cjs' },
  { name: 'ours', entry: 'ours', format: 'cjs' },
  { name: 'aws-lite', entry: 'aws-lite', format: 'cjs' },
  { name: 'client-dynamodb', entry: 'bare-client', format: 'cjs' },
  { name: 'middy, ES module', entry: 'middy', format: 'esm' },
  { name: 'Hono', entry: 'hono', format: 'cjs' },
  { name: 'Powertools event handler', entry: 'powertools', format: 'cjs' },
];

/** Whether a subject is this checkout's own function. */
export function isOurs({ entry, checkout }: Subject): boolean {
  return entry === 'ours' && checkout === undefined;
}

/** How a subject is deployed: ours through the script, and peers as functions usually are. */
export function deployedStart({ entry }: Subject): Start {
  return entry === 'ours' ? 'script' : 'plain';
}

/**
 * Chooses what to measure.
 * @param words names or parts of names, separated by semicolons; empty for everything. Ours is always included.
 * @param before the root of another checkout, measured as "ours, before"; empty for none
 */
export function chooseSubjects(words: string, before: string): Subject[] {
  const wanted = words.split(';').map((word) => word.trim());
  return SUBJECTS.flatMap((subject) => {
    if (isOurs(subject)) {
      return before === '' ? subject : [subject, { ...subject, name: 'ours, before', checkout: before }];
    }
    return wanted.some((word) => subject.name.includes(word)) ? subject : [];
  });
}
