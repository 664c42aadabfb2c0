import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { oneLine, visible } from '../../cli/print.ts';
import { OUTPUTS } from '../../infra/stack-names.ts';
import { always, MAY_COME, MAY_GO, type Rule, type Rules, rulesOf } from './allowed-changes.ts';
import { field, type Resource, type Template } from './templates.ts';

/** Something that a deployment would lose, or that the guard does not know. */
export interface Loss {
  /** The logical id of the resource, or the name of a section of the template. */
  readonly id: string;
  /** How `acceptedLosses` of a stage names it: the id, the kind, and a digest of what is lost. No other loss has the same. */
  readonly entry: string;
  /** What people read. */
  readonly line: string;
}

/** A change that is not known to be harmless; undefined: absent. */
interface Change {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Sections that change no resource, or are compared by themselves. What another one makes of a template, such as `Transform` or
 * `Conditions`, only CloudFormation knows, whether it is changed or not.
 */
const HARMLESS_SECTIONS =
  /^(AWSTemplateFormatVersion|Description|Metadata|Outputs|Parameters|Resources|Rules)$/;
const NOT_JUDGED = 'the template has this section, so its changes cannot be judged.';
/** A new CDK may describe its own parameter in other words. */
const PARAMETER_RULES: Rules = { 'BootstrapVersion.Description': always };

/**
 * Finds what a deployment would lose: a resource that is removed, and each change that is not known to be harmless.
 * @param before the deployed template
 * @param after the template to deploy
 */
export function findLosses(before: Template, after: Template): Loss[] {
  if (isDeepStrictEqual(before, after)) return [];
  const sections = Object.keys({ ...before, ...after }).filter((name) => !HARMLESS_SECTIONS.test(name));
  const ids = Object.keys({ ...before.Resources, ...after.Resources });
  return [
    ...changeOf('Parameters', 'Parameters', before.Parameters, after.Parameters, PARAMETER_RULES),
    ...sections.map((name) => loss(name, 'unjudged', [before, after], `${name}: ${NOT_JUDGED}`)),
    ...ids.flatMap((id) => resourceLoss(id, before.Resources, after.Resources)),
    ...Object.values(OUTPUTS).flatMap((id) => {
      const [output, newOutput] = [before, after].map(({ Outputs }) => field(field(Outputs, id), 'Value'));
      return changeOf(id, `The output ${id}`, output, newOutput, {});
    }),
  ];
}

function resourceLoss(id: string, deployed: Template['Resources'], next: Template['Resources']): Loss[] {
  const [before, after] = [deployed, next].map((each) => field(each, id) as Resource | undefined);
  const type = String((before ?? after)?.Type);
  const name = `${id} (${type})`;
  const mayGo = MAY_GO.includes(type);
  if (before && after) {
    const isUnchecked = mayGo && field(MAY_COME, type) === 'any' && after.Type === type;
    return isUnchecked ? [] : changeOf(id, name, before, after, rulesOf(type));
  }
  if (after) {
    if (mayBeNew(after, Object.values(deployed))) return [];
    return [loss(id, 'added', after, `${name} is new, and not known to be harmless.`)];
  }
  if (mayGo) return [];
  const isRetained = /^Retain/.test(String(before?.DeletionPolicy));
  const successors = Object.keys(next).filter((each) => next[each]?.Type === type && !field(deployed, each));
  const successor =
    successors.length > 0 ? `; new: ${successors.join(', ')} (was the id of a construct changed?)` : '';
  const fate = isRetained ? 'left behind, unused' : 'deleted';
  const line = `${name} would be removed from the stack and ${fate}${successor}.`;
  return [loss(id, 'removed', { type, isRetained, successors }, line)];
}

function mayBeNew(resource: Resource, deployed: readonly Resource[]): boolean {
  const different = field(MAY_COME, resource.Type) as 'any' | Rules | undefined;
  if (different === undefined || different === 'any') return different === 'any';
  const nameOf = ({ Properties }: Resource) => field(Properties, 'AlarmName');
  const alike = deployed.filter(({ Type }) => Type === resource.Type);
  // CloudFormation would write an alarm of the same name over the other one.
  if (nameOf(resource) && alike.some((each) => isDeepStrictEqual(nameOf(each), nameOf(resource))))
    return false;
  const rules = { ...rulesOf(resource.Type), ...different };
  return alike.some((each) => changesOf(each, resource, rules).length === 0);
}

function changeOf(id: string, name: string, before: unknown, after: unknown, rules: Rules): Loss[] {
  const changes = changesOf(before, after, rules);
  if (changes.length === 0) return [];
  const text = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  const words = changes.map(
    ({ path, ...values }) =>
      `${path.replace(/^Properties\./, '') || 'it'} changes from ${text(values.before)} to ${text(values.after)}`,
  );
  return [loss(id, 'changed', { name, changes }, `${name}: ${words.join('; ')}.`)];
}

/** The changes of a value that are not allowed. @param rules a part without one may not change */
function changesOf(before: unknown, after: unknown, rules: Rules, path = ''): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  const rule = field(rules, path.replaceAll(/\.\d+(?=\.|$)/g, '.*')) as Rule | undefined;
  if (rule?.(before, after)) return [];
  const keys = rule ? [] : commonKeys(before ?? {}, after ?? {});
  if (keys.length > 0)
    return keys.flatMap((key) =>
      changesOf(field(before, key), field(after, key), rules, path === '' ? key : `${path}.${key}`),
    );
  return [{ path, before, after }];
}

/** The keys by which two values are compared part by part; none if they can only be compared as a whole. */
function commonKeys(before: unknown, after: unknown): string[] {
  if (
    Array.isArray(before) !== Array.isArray(after) ||
    typeof before !== 'object' ||
    typeof after !== 'object'
  )
    return [];
  if (Array.isArray(before) && before.length !== (after as unknown[]).length) return [];
  return [...new Set([before, after].flatMap((each) => Object.keys(each ?? {})))];
}

/**
 * @param kind what happens to it, in a word
 * @param facts all that is lost, so that nobody who accepts this loss accepts another one
 */
export function loss(
  id: string,
  kind: 'removed' | 'added' | 'changed' | 'unjudged' | 'outdated',
  facts: unknown,
  line: string,
): Loss {
  const digest = hash('sha256', JSON.stringify(facts)).slice(0, 12);
  return { id, entry: `${id} ${kind} ${digest}`, line: visible(oneLine(line)) };
}
