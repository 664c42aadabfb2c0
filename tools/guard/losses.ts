import { isDeepStrictEqual } from 'node:util';
import { Comparison } from './comparison.ts';
import { kindOf } from './kinds.ts';
import { changeInWords, type Loss, leftOutOf, valuesOf } from './loss.ts';
import { field, isFields } from './references.ts';
import { isReplaceable } from './replaceable.ts';
import { findRoleLosses } from './role-losses.ts';
import type { Resource, Template } from './templates.ts';

/** The sections that say nothing about resources, or that are judged where a resource refers to them. */
const JUDGED = new Set([
  ...['AWSTemplateFormatVersion', 'Description', 'Metadata', 'Outputs', 'Rules'],
  ...['Parameters', 'Mappings', 'Conditions', 'Resources'],
]);

/**
 * Finds what a deployment would lose, and each change that is not on the list of harmless ones.
 * @param before the deployed template
 * @param after the template to deploy; without resources if its stage has no entry any more
 * @param region of the stack, if it is known: `AWS::Region` means this one
 */
export function findLosses(before: Template, after: Template, region?: string): Loss[] {
  const templates = [before, after].map((each) => inRegion(each, region)) as [Template, Template];
  const losses = removedOrChanged(...templates);
  const reported = losses.map(({ id }) => id);
  return [
    ...unjudgedSections(...templates),
    ...losses,
    ...findRoleLosses(...templates, reported),
    ...addedOnes(...templates),
  ];
}

/** Whether a resource must not be lost: each one, unless it is known that it can be created again. */
export function isGuarded({ Type }: Resource): boolean {
  return !isReplaceable(Type);
}

function inRegion(template: Template, region: string | undefined): Template {
  if (region === undefined) return template;
  const isRegion = (value: unknown) => isDeepStrictEqual(value, { Ref: 'AWS::Region' });
  return JSON.parse(JSON.stringify(template), (_, value) => (isRegion(value) ? region : value));
}

/** A section such as `Transform` can change every resource, in a way that only CloudFormation sees. */
function unjudgedSections(before: Template, after: Template): Loss[] {
  if (isDeepStrictEqual(before, after)) return [];
  const names = new Set([before, after].flatMap((each) => Object.keys(each)));
  return [...names]
    .filter((id) => !JUDGED.has(id))
    .map((id) => ({
      id,
      sentence: `The template cannot be judged: it has a section ${id}.`,
      leftOut: [before, after],
    }));
}

function removedOrChanged(before: Template, after: Template): Loss[] {
  const comparison = new Comparison(before, after);
  return Object.entries(before.Resources).flatMap(([id, was]) => {
    if (!isGuarded(was)) return [];
    const { noun, holds } = kindOf(was.Type) ?? { noun: was.Type, holds: 'its data' };
    if (field(after.Resources, id) === undefined) {
      const fate = removed(was, successors(was, before, after));
      return { id, sentence: `The ${noun} ${id} would be removed from the stack and ${fate}.` };
    }
    const changes = comparison.changesOf(id);
    const words = changes.map(changeInWords).join('; ');
    const sentence = `The ${noun} ${id} cannot be judged, so ${holds} may be lost: ${words}.`;
    return changes.length === 0
      ? []
      : { id, sentence, leftOut: leftOutOf(valuesOf(changes), words, comparison) };
  });
}

/** New resources of the same type: if the id of a construct was changed, one of them has the new id. */
function successors({ Type }: Resource, before: Template, after: Template): string[] {
  const ids = Object.keys(after.Resources).filter((id) => field(before.Resources, id) === undefined);
  return ids.filter((id) => after.Resources[id]?.Type === Type);
}

function removed({ DeletionPolicy: policy }: Resource, successors: readonly string[]): string {
  const isKept = policy === 'Retain' || policy === 'RetainExceptOnCreate';
  const fate = isKept ? 'left behind, unused' : isFields(policy) ? 'perhaps deleted' : 'deleted';
  if (successors.length === 0) return fate;
  return `${fate}; new: ${successors.join(', ')} (was the id of a construct changed?)`;
}

/** A new resource of an unknown type can act on the others: a nested stack, a custom resource. */
function addedOnes(before: Template, after: Template): Loss[] {
  return Object.entries(after.Resources).flatMap(([id, { Type }]) => {
    const was = field(before.Resources, id) as Resource | undefined;
    const kind = kindOf(Type);
    if (was && (isGuarded(was) || was.Type === Type)) return [];
    if (kind?.startsEmpty)
      return { id, sentence: `The ${kind.noun} ${id} would be new and empty; is the data in another one?` };
    if (kind || isReplaceable(Type)) return [];
    const leftOut = [
      after.Resources[id],
      new Comparison(before, after).changedDefinitions(after.Resources[id]),
    ];
    return { id, sentence: `The new ${Type} ${id} cannot be judged.`, leftOut };
  });
}
