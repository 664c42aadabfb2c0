import { isDeepStrictEqual } from 'node:util';
import { field, isFields } from './canonical.ts';
import type { Rule } from './rules.ts';

/** Rules by the paths of what they allow to change; `*` is any place in a list. */
export type Allowed = Readonly<Record<string, Rule>>;

/**
 * The changes of a value that are not allowed, each in words.
 * @param allowed rules by paths, such as `Properties.Replicas.*`; a part without a rule may not change
 * @param path of the value
 */
export function changesOf(was: unknown, is: unknown, allowed: Allowed, path = ''): string[] {
  if (isDeepStrictEqual(was, is)) return [];
  const rule = field(allowed, path.replaceAll(/\.\d+(?=\.|$)/g, '.*')) as Rule | undefined;
  const verdict = rule?.(was, is) ?? false;
  if (verdict === true) return [];
  const parts = rule ? [] : partsOf(was ?? {}, is ?? {});
  if (parts.length > 0)
    return parts.flatMap((key) =>
      changesOf(field(was, key), field(is, key), allowed, path === '' ? key : `${path}.${key}`),
    );
  return [verdict || `${path.replace(/^Properties\./, '')} changes from ${text(was)} to ${text(is)}`];
}

/** The keys by which two values are compared part by part; none if they can only be compared as a whole. */
function partsOf(was: unknown, is: unknown): string[] {
  if (Array.isArray(was) && Array.isArray(is)) return was.length === is.length ? Object.keys(was) : [];
  return isFields(was) && isFields(is) ? [...new Set([was, is].flatMap(Object.keys))] : [];
}

const text = (value: unknown) => JSON.stringify(value) ?? 'nothing';
