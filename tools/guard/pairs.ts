import { type Fields, field, isFields, isResolvedLater } from './references.ts';

/** A value in both templates; undefined means that it is absent. */
export interface Pair {
  readonly was: unknown;
  readonly is: unknown;
  readonly key: string;
  /** Where in the resource, such as `Replicas[eu-west-1].TableClass`. */
  readonly path: string;
  /** The same in the list of harmless changes: `Properties.Replicas.*.TableClass`. */
  readonly pattern: string;
}

/** The fields of two objects; undefined has none. */
export function pairsOf(was: unknown, is: unknown, within = { path: '', pattern: '' }): Pair[] {
  const names = new Set([was, is].flatMap((each) => (isFields(each) ? Object.keys(each) : [])));
  // Nearly every path would begin with "Properties".
  const isTop = within.path === '' || within.pattern === 'Properties';
  return [...names].map((key) => ({
    was: field(was, key),
    is: field(is, key),
    key,
    path: isTop ? key : `${within.path}.${key}`,
    pattern: within.pattern === '' ? key : `${within.pattern}.${key}`,
  }));
}

/**
 * Splits a pair into parts that can be judged one by one.
 * @param patterns of all harmless changes
 * @returns undefined if it can only be judged as a whole: a single value, a list that gets longer or shorter, what
 *   CloudFormation resolves later, and what is in one template only, unless a part of it can change without harm
 */
export function partsOf(pair: Pair, patterns: readonly string[]): Pair[] | undefined {
  const { key, path, pattern, was, is } = pair;
  if (Array.isArray(was) && Array.isArray(is)) {
    const [before, after] = key === 'Replicas' ? [byRegion(was), byRegion(is)] : [{ ...was }, { ...is }];
    if (!before || !after || (key !== 'Replicas' && was.length !== is.length)) return undefined;
    return pairsOf(before, after).map((each) => ({
      ...each,
      path: `${path}[${each.key}]`,
      pattern: `${pattern}.*`,
    }));
  }
  const canBeAbsent = !pattern.endsWith('.*') && patterns.some((each) => each.startsWith(`${pattern}.`));
  const canBeSplit = [was, is].every((each) =>
    each === undefined ? canBeAbsent : isFields(each) && !isResolvedLater(each),
  );
  return canBeSplit ? pairsOf(was, is, pair) : undefined;
}

/** Replicas by their Regions, because their order means nothing; undefined if two have the same one. */
function byRegion(replicas: readonly unknown[]): Fields | undefined {
  const regions = replicas.map((each) => {
    const region = field(each, 'Region');
    return typeof region === 'string' ? region : JSON.stringify(region);
  });
  if (new Set(regions).size < regions.length) return undefined;
  return Object.fromEntries(replicas.map((each, index) => [regions[index], each]));
}
