import type { Change, Comparison } from './comparison.ts';

/** Something that a deployment would lose, or that the guard cannot judge. */
export interface Loss {
  /** The logical id of the resource, or the name of a section of the template. */
  readonly id: string;
  readonly sentence: string;
  /** What the sentence leaves out, so that another loss with the same sentence can be told from this one. */
  readonly leftOut?: unknown;
}

/** A change in words. */
export function changeInWords({ path: place, was, is, because }: Change): string {
  const path = place || 'it';
  if (because !== undefined) return `${path} changes with ${because}`;
  return `${path} changes from ${text(was)} to ${text(is)}`;
}

/**
 * What a sentence on some values leaves out.
 * @param hasCut whether it does not show all of them
 * @returns undefined if it leaves nothing out: it shows the values, and nothing that they refer to changes
 */
export function leftOutOf(values: readonly unknown[], hasCut: boolean, comparison: Comparison): unknown {
  const definitions = comparison.changedDefinitions(values);
  return hasCut || definitions.length > 0 ? [values, definitions] : undefined;
}

/** Long enough for every single value, but not for a policy. */
const MAX_LENGTH = 100;

/** Whether {@link text} cuts a value. */
export const isCut = (value: unknown) => value !== undefined && JSON.stringify(value).length > MAX_LENGTH;

/** A value as it is printed. */
export function text(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return isCut(value) ? `${json.slice(0, MAX_LENGTH)}…` : json;
}
