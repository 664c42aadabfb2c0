import { fullDiff, type ResourceDifference, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { type Kind, kindOf } from './kinds.ts';
import { isKept, weakened } from './protections.ts';
import type { Resource, Template } from './templates.ts';

/** What a deployment would do to one resource that must not be lost. */
export interface Loss {
  /** The logical id of the resource. */
  readonly id: string;
  readonly sentence: string;
}

/**
 * Finds the tables, log groups, keys, aliases and other resources that must not be lost and that a deployment would
 * replace, remove, or protect less than before.
 * @param before the deployed template
 * @param after the template to deploy; without resources if its stage has no entry any more
 */
export function findLosses(before: Template, after: Template): Loss[] {
  const { changes } = fullDiff(before, after).resources;
  return Object.entries(before.Resources).flatMap(([id, was]) => {
    const [kind, change, is] = [kindOf(was.Type), changes[id], after.Resources[id]];
    if (!kind || !change) return [];
    const fates = is ? changed(kind, was, is, change) : [removed(was, successors(was, before, after))];
    return fates.length > 0 ? { id, sentence: `The ${kind.noun} ${id} would ${fates.join(', ')}.` } : [];
  });
}

/** New resources of the same type: if the id of a construct was changed, one of them has the new id. */
function successors({ Type }: Resource, before: Template, after: Template): string[] {
  const ids = Object.keys(after.Resources).filter((id) => before.Resources[id] === undefined);
  return ids.filter((id) => after.Resources[id]?.Type === Type);
}

function removed({ DeletionPolicy }: Resource, successors: readonly string[]): string {
  const fate = `be removed from the stack and ${isKept(DeletionPolicy) ? 'left behind, unused' : 'deleted'}`;
  if (successors.length === 0) return fate;
  return `${fate}; new: ${successors.join(', ')} (was the id of a construct changed?)`;
}

function changed(kind: Kind, was: Resource, is: Resource, change: ResourceDifference): string[] {
  const reasons = replacingProperties(was, is, change);
  const others = weakened(was, is);
  if (reasons.length === 0) return others;
  const perhaps = change.changeImpact === ResourceImpact.MAY_REPLACE ? 'perhaps ' : '';
  const newOne = kind.holdsData ? 'a new, empty one' : 'a new one';
  const isLeft = isKept(was.UpdateReplacePolicy) && isKept(is.UpdateReplacePolicy);
  const fate = isLeft ? 'left behind, unused' : 'deleted';
  return [`${perhaps}be replaced by ${newOne} and ${fate} (${reasons.join(', ')} changes)`, ...others];
}

function replacingProperties(was: Resource, is: Resource, { propertyUpdates }: ResourceDifference): string[] {
  if (was.Type !== is.Type) return ['Type'];
  const names = Object.entries(propertyUpdates)
    .filter(([, { changeImpact: impact }]) => impact === 'WILL_REPLACE' || impact === 'MAY_REPLACE')
    .map(([name]) => name);
  return hasChangedType(was, is) ? [...names, 'AttributeDefinitions'] : names;
}

/**
 * Whether an attribute of a table's keys has another type than before. This replaces the table (CloudFormation,
 * `AWS::DynamoDB::Table`, AttributeDefinitions), but AWS's data on properties does not say so.
 */
function hasChangedType(was: Resource, is: Resource): boolean {
  const types = ({ Properties: { AttributeDefinitions: definitions } = {} }: Resource) =>
    new Map(
      (Array.isArray(definitions) ? definitions : []).map((each) => [each.AttributeName, each.AttributeType]),
    );
  const before = types(was);
  return [...types(is)].some(([name, type]) => before.has(name) && before.get(name) !== type);
}
