import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Allowed } from './allowed.ts';
import { field, isFields } from './canonical.ts';

/**
 * The changes of a value that are not allowed, each in words.
 * @param allowed rules by paths; a part without a rule may not change
 * @param path of the value in the rules, such as `Properties.Replicas.*`; `place` is the same for people
 */
export function changesOf(
  was: unknown,
  is: unknown,
  allowed: Allowed,
  { path = '', place = '' } = {},
): string[] {
  if (isDeepStrictEqual(was, is)) return [];
  const rule = Object.hasOwn(allowed, path) ? allowed[path] : undefined;
  const verdict = rule?.(was, is) ?? false;
  if (verdict === true) return [];
  const words = verdict || `${place} changes from ${text(was)} to ${text(is)}`;
  const parts = rule ? undefined : partsOf(was, is, path, allowed);
  if (!parts) return [words];
  return parts.flatMap((key) => {
    const [inner, step] = Array.isArray(was) ? ['*', `[${key}]`] : [key, `.${key}`];
    // Nearly every place would begin with "Properties".
    const inside = place === 'Properties' || place === '' ? key : place + step;
    return changesOf(field({ ...(was as object) }, key), field({ ...(is as object) }, key), allowed, {
      path: path === '' ? inner : `${path}.${inner}`,
      place: inside,
    });
  });
}

/** The keys by which two values are compared part by part; undefined if they can only be compared as a whole. */
function partsOf(was: unknown, is: unknown, path: string, allowed: Allowed): string[] | undefined {
  if (Array.isArray(was) && Array.isArray(is)) return was.length === is.length ? Object.keys(was) : undefined;
  // What is new, or gone, is judged by the rules for its parts.
  const canBeAbsent = Object.keys(allowed).some((each) => each.startsWith(`${path}.`));
  const canBeSplit = [was, is].every((each) => (each === undefined ? canBeAbsent : isFields(each)));
  return canBeSplit
    ? [...new Set([was, is].flatMap((each) => Object.keys((each as object) ?? {})))]
    : undefined;
}

/** Long enough for every single value, but not for a policy. */
const MAX_LENGTH = 100;

function text(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length > MAX_LENGTH ? `${json.slice(0, MAX_LENGTH)}…` : json;
}

/** A digest of what a line leaves out, so that nobody who accepts the line accepts anything else. */
export function digest(...leftOut: readonly unknown[]): string {
  return ` [${createHash('sha256').update(JSON.stringify(leftOut)).digest('hex').slice(0, 12)}]`;
}
