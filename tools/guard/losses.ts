import { isDeepStrictEqual } from 'node:util';
import { oneLine, visible } from '../../terminal/print.ts';
import { allowedChanges, isKnown, NOTES } from './allowed.ts';
import { canonical, field, referencesOf } from './canonical.ts';
import { changesOf, digest } from './changes.ts';
import { hasDeny } from './policies.ts';
import { EACH_TIME, haveSameName, isLike } from './replacements.ts';
import type { Resource, Template } from './templates.ts';

/** Something that a deployment would lose, or that the guard does not know. */
export interface Loss {
  /** The logical id of the resource, or the name of a section of the template. */
  readonly id: string;
  readonly line: string;
}

/** Where a stack is, as far as its stage is bound to it. */
export interface Place {
  readonly account?: string;
  readonly region?: string;
}

type Resources = Template['Resources'];

/**
 * Finds what a deployment would lose: a resource that is removed, and each change that is not known to be harmless.
 * @param before the deployed template
 * @param after the template to deploy
 * @param place of the stack, if it is known: `AWS::Region` and the like then are texts
 */
export function findLosses(before: Template, after: Template, place: Place = {}): Loss[] {
  const known = pseudoParameters(place);
  const was = canonical(before.Resources, known) as Resources;
  const is = canonical(after.Resources, known) as Resources;
  const losses = [
    ...Object.keys(was).flatMap((id) => removedOrChanged(id, was, is)),
    ...Object.keys(is).flatMap((id) => (resourceIn(was, id) ? [] : newOne(id, was, is))),
  ];
  const lost = losses.map(({ id }) => id);
  return [
    ...unjudgedSections(before, after),
    ...losses,
    ...Object.keys(is).flatMap((id) => newDeny(id, was, is, lost)),
  ];
}

function pseudoParameters({ account = '', region = '' }: Place): Record<string, string> {
  const others = /^(cn|us-gov)-/.exec(region)?.[1];
  const partition = others ? `aws-${others}` : 'aws';
  return { 'AWS::AccountId': account, 'AWS::Region': region, 'AWS::Partition': region && partition };
}

/** Sections that change no resource. */
const HARMLESS = ['AWSTemplateFormatVersion', 'Description', 'Metadata', 'Outputs', 'Resources', 'Rules'];

/** Only CloudFormation knows what these make of a template. */
function unjudgedSections(before: Template, after: Template): Loss[] {
  if (isDeepStrictEqual(before, after)) return [];
  const sections = [before, after].flatMap((each) => Object.keys(each));
  const isEqual = isDeepStrictEqual(before.Parameters, after.Parameters);
  const inside = JSON.stringify([before.Resources, after.Resources]).matchAll(
    /"(Transform|Fn::(?:Transform|If|FindInMap|ForEach)[^"]*)":/g,
  );
  const names = new Set([...sections, ...[...inside].map(([, name = '']) => name)]);
  return [...names]
    .filter((id) => !HARMLESS.includes(id) && !(id === 'Parameters' && isEqual))
    .map((id) =>
      loss(id, `The template has ${id}, so its changes cannot be judged.${digest(before, after)}`),
    );
}

function removedOrChanged(id: string, was: Resources, is: Resources): Loss[] {
  const [before, after] = [was[id] as Resource, resourceIn(is, id)];
  if (after) return changed(id, before, after);
  const successors = Object.keys(is).filter(
    (each) => !resourceIn(was, each) && (is[each] as Resource).Type === before.Type,
  );
  if (EACH_TIME.has(before.Type) || successors.some((each) => isLike(before, is[each] as Resource)))
    return [];
  const fate = /^Retain/.test(String(before.DeletionPolicy)) ? 'left behind, unused' : 'deleted';
  const hint =
    successors.length > 0 ? `; new: ${successors.join(', ')} (was the id of a construct changed?)` : '';
  return [loss(id, `${named(id, before)} would be removed from the stack and ${fate}${hint}.`)];
}

function changed(id: string, was: Resource, is: Resource): Loss[] {
  const words = changesOf(was, is, allowedChanges(was.Type)).join('; ');
  const more = words.includes('…') ? digest(was, is) : '';
  return words === '' ? [] : [loss(id, `${named(id, was)}: ${words}.${more}`)];
}

function newOne(id: string, was: Resources, is: Resources): Loss[] {
  const resource = is[id] as Resource;
  const { Type } = resource;
  const others = Object.values(was).filter((each) => each.Type === Type);
  if (EACH_TIME.has(Type) && others[0]) return changed(id, others[0], resource);
  const problem =
    (Type === 'AWS::DynamoDB::GlobalTable' && 'would be new and empty; is the data in another one?') ||
    (!isKnown(Type) && 'is new, and its type is not known to the guard.') ||
    (others.some((each) => haveSameName(each, resource)) &&
      'is new, and would take the place of the deployed one.');
  return problem ? [loss(id, `${named(id, resource)} ${problem}${digest(resource)}`)] : [];
}

/** A Deny passes only if neither its resource nor what it refers to changes: nobody has to find out what it denies. */
function newDeny(id: string, was: Resources, is: Resources, lost: readonly string[]): Loss[] {
  const [before, after] = [resourceIn(was, id), resourceIn(is, id)];
  const isChanged = !before || changesOf(before, after, NOTES).length > 0;
  if (!hasDeny(after) || !(isChanged || referencesOf(after).some((name) => lost.includes(name)))) return [];
  return [loss(id, `${named(id, after)} denies something, and is new or changes.${digest(before, after)}`)];
}

const loss = (id: string, text: string): Loss => ({ id, line: visible(oneLine(text)) });

const named = (id: string, resource: Resource | undefined) => `${id} (${resource?.Type})`;

const resourceIn = (resources: Resources, id: string) => field(resources, id) as Resource | undefined;
