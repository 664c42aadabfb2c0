import type { Resource } from './templates.ts';

/** How much a policy keeps; without a policy, CloudFormation deletes. */
const KEPT: Readonly<Record<string, number>> = { Delete: 0, Snapshot: 1, Retain: 2, RetainExceptOnCreate: 2 };

/** Whether a policy keeps the resource itself. */
export function isKept(policy = 'Delete'): boolean {
  return KEPT[policy] === 2;
}

/** When each policy decides what happens to a resource. */
const POLICIES = [
  ['DeletionPolicy', 'its stack is deleted'],
  ['UpdateReplacePolicy', 'it is replaced'],
] as const;

/** What would protect a resource or its data less than before: the ends of a sentence that begins with "it would". */
export function weakened(before: Resource, after: Resource): string[] {
  const policies = POLICIES.flatMap(([policy, when]) => {
    const [was, is] = [before[policy] ?? 'Delete', after[policy] ?? 'Delete'];
    if ((KEPT[is] ?? 0) >= (KEPT[was] ?? 0)) return [];
    return `no longer be kept when ${when} (${policy}: ${was} to ${is})`;
  });
  return [...policies, ...weakenedProperties(leaves(before.Properties), leaves(after.Properties))];
}

type Leaves = ReadonlyMap<string, unknown>;

function weakenedProperties(before: Leaves, after: Leaves): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    const name = path.slice(path.lastIndexOf('.') + 1);
    const isSwitchedOff = was === true && is !== true;
    if (name === 'DeletionProtectionEnabled' && isSwitchedOff) return 'lose its deletion protection';
    if (name === 'PointInTimeRecoveryEnabled' && isSwitchedOff)
      return 'lose its backups (point-in-time recovery is switched off)';
    if (path === 'RetentionInDays' && Number(is ?? Infinity) < Number(was ?? Infinity))
      return `lose its entries older than ${is} days`;
    if (path === 'TimeToLiveSpecification.AttributeName' && is !== undefined && is !== was)
      return `lose each item at the time in its attribute ${is}`;
    return [];
  });
}

/** The values of an object, by their paths. */
function leaves(value: unknown, path: readonly string[] = []): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path.join('.'), value]]);
  return new Map(Object.entries(value).flatMap(([key, each]) => [...leaves(each, [...path, key])]));
}
