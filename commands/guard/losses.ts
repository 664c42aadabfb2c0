import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { oneLine, visible } from '../../cli/print.ts';
import { OUTPUTS } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { allowedChanges, EACH_TIME, FREE, mayBeNew } from './allowed.ts';
import { canonical, changesOf, field } from './changes.ts';
import type { Resource, Template } from './templates.ts';

/** Something that a deployment would lose, or that the guard does not know. */
export interface Loss {
  /** The logical id of the resource, or the name of a section of the template. */
  readonly id: string;
  readonly line: string;
}

/** Where a stack is, as far as its stage is bound to it. */
type Place = Pick<Stage, 'account' | 'region'>;
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
  return [
    ...unjudgedSections(before, after),
    ...[...new Set([was, is].flatMap(Object.keys))].flatMap((id) => lossOf(id, was, is)),
    ...Object.values(OUTPUTS).flatMap((id) => {
      const [one, other] = [before, after].map(({ Outputs }) =>
        canonical(field(field(Outputs, id), 'Value'), known),
      );
      return changesOf(one, other, {}, `The output ${id}`).map((line) => loss(id, `${line}.`));
    }),
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
  const [one, other] = [before, after].map(({ Parameters }) =>
    JSON.stringify(Parameters, withoutDescriptions),
  );
  const harmless = one === other ? [...HARMLESS, 'Parameters'] : HARMLESS;
  const sections = [before, after].flatMap(Object.keys).filter((name) => !harmless.includes(name));
  const inside = JSON.stringify([before.Resources, after.Resources]).matchAll(
    /"(Transform|Fn::(?:Transform|If|FindInMap|ForEach)[^"]*)":/g,
  );
  const unjudged = `so its changes cannot be judged.${digest([before, after])}`;
  const ids = new Set([...sections, ...[...inside].map(([, name = '']) => name)]);
  return [...ids].map((id) => loss(id, `The template has ${id}, ${unjudged}`));
}

const withoutDescriptions = (name: string, value: unknown) =>
  name === 'Description' && typeof value === 'string' ? undefined : value;

function lossOf(id: string, was: Resources, is: Resources): Loss[] {
  const [before, after] = [field(was, id), field(is, id)] as (Resource | undefined)[];
  if ([before, after].every((each) => !each || FREE.includes(each.Type))) return [];
  const words = !before
    ? added(after as Resource, Object.values(was))
    : after
      ? changed(before, after)
      : removed(before, was, is);
  return words === '' ? [] : [loss(id, `${id} (${(before ?? after)?.Type})${words}`)];
}

function changed(was: Resource, is: Resource): string {
  const changes = changesOf(was, is, allowedChanges(was.Type));
  return changes.length === 0 ? '' : `: ${changes.join('; ')}.`;
}

function removed(before: Resource, was: Resources, is: Resources): string {
  if (EACH_TIME.includes(before.Type)) return '';
  const fate = /^Retain/.test(String(before.DeletionPolicy)) ? 'left behind, unused' : 'deleted';
  const successors = Object.keys(is).filter((id) => is[id]?.Type === before.Type && !field(was, id));
  const ids = successors.join(', ');
  return ` would be removed from the stack and ${fate}${ids && `; new: ${ids} (was the id of a construct changed?)`}.`;
}

function added(after: Resource, deployed: readonly Resource[]): string {
  return mayBeNew(after, deployed) ? '' : ` is new, and not known to be harmless.${digest(after)}`;
}

const loss = (id: string, line: string): Loss => ({ id, line: visible(oneLine(line)) });

/** What a line leaves out, so that nobody who accepts the line accepts anything else. */
const digest = (leftOut: unknown) => ` [${hash('sha256', JSON.stringify(leftOut)).slice(0, 12)}]`;
