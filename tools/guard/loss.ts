import type { Change, Comparison } from './comparison.ts';

/** Something that a deployment would lose, or that the guard cannot judge. */
export interface Loss {
  /** The logical id of the resource, or the name of a section of the template. */
  readonly id: string;
  readonly sentence: string;
  /** What the sentence leaves out, so that another loss with the same sentence can be told from this one. */
  readonly leftOut?: unknown;
}

/** The values of changes, by their names. */
export function valuesOf(changes: readonly Change[]): unknown[] {
  return changes.flatMap(({ key, was, is }) => [{ [key]: was }, { [key]: is }]);
}

/** A change in words. */
export function changeInWords({ path: place, was, is, because }: Change): string {
  const path = place || 'it';
  if (because !== undefined) return `${path} changes with ${because}`;
  return `${path} changes from ${text(was)} to ${text(is)}`;
}

/**
 * What the words on some values leave out.
 * @returns undefined if they leave nothing out: they show the values, and nothing that these refer to changes
 */
export function leftOutOf(values: readonly unknown[], words: string, comparison: Comparison): unknown {
  const definitions = comparison.changedDefinitions(values);
  return words.includes('…') || definitions.length > 0 ? [values, definitions] : undefined;
}

/** Long enough for every single value, but not for a policy. */
const MAX_LENGTH = 100;

/** A value as it is printed; an ellipsis shows that its end is left out. */
export function text(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length > MAX_LENGTH ? `${json.slice(0, MAX_LENGTH)}…` : json;
}
