import { isDeepStrictEqual } from 'node:util';
import type { Stage } from '../../../infra/stage-settings.ts';
import { type Json, type Resource, type StackSynth, type Synth, textOf } from '../synth.ts';

/**
 * A rule for a stack, checked in what would be deployed. Its expectations are written by hand, not imported from infra/ or
 * lambda/. Together the policies of a stack state every value of it: policies.test.ts changes each one.
 */
export interface Policy<S extends StackSynth = Synth> {
  readonly says: string;
  /** The violations of the rule, one line each. */
  violations(synth: S): string[];
}

/** What the CDK appends to the name of what has to be replaced if its content changes. */
const DIGITS = /(?<=\w)[0-9a-f]{32}$/;

/** The name of a resource: its logical id without the CDK's digits. An id that the template does not have is no name. */
export function nameOf({ template }: StackSynth, id: string): string {
  return Object.hasOwn(template.Resources, id) ? id.replace(DIGITS, '') : id;
}

/** Finds resources by their type or their name. */
export function find(synth: StackSynth, resource: string): [id: string, resource: Resource][] {
  return Object.entries(synth.template.Resources).filter(
    ([id, { Type }]) => Type === resource || nameOf(synth, id) === resource,
  );
}

/** A value of a template with its references as text: `{Name}` or `{Name.Attribute}`, and joined texts as one. */
export function plain(synth: StackSynth, value: Json): Json {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each) => plain(synth, each));
  if (/^(Ref|Fn::)/.test(Object.keys(value)[0] ?? '')) return withNames(synth, textOf(value));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(synth, inner)]));
}

/** A text with names in place of the logical ids in its references. */
export function withNames(synth: StackSynth, text: string): string {
  return text.replaceAll(/(?<=\{)\w+/g, (id) => nameOf(synth, id));
}

/**
 * One line for each property of the resources that is not the required one, or one if there is no such resource. A
 * property that is not required must be absent, except a description.
 */
export function every(
  synth: StackSynth,
  resource: string,
  required: object | ((properties: Json) => object),
): string[] {
  const found = find(synth, resource);
  if (found.length === 0) return [`there is no ${resource}`];
  return found.flatMap(([id, { Properties = {} }]) => {
    const { Description: _, ...properties } = plain(synth, Properties);
    return differ(id, properties, typeof required === 'function' ? required(properties) : required);
  });
}

/** One line for each part of a value that is not the required one. The order of the statements of a policy means nothing. */
export function differ(what: string, found: Json, required: Json): string[] {
  if (what.endsWith('.Statement') && Array.isArray(found) && Array.isArray(required))
    return differ(`${what}s`, byAction(found), byAction(required));
  if (isDeepStrictEqual(found, required)) return [];
  const isObject = (value: Json) => typeof value === 'object' && value !== null;
  if (isObject(found) && isObject(required) && Array.isArray(found) === Array.isArray(required)) {
    const keys = new Set([...Object.keys(found), ...Object.keys(required)]);
    return [...keys].flatMap((key) => differ(`${what}.${key}`, found[key], required[key]));
  }
  return [`${what} is ${JSON.stringify(found)}, must be ${JSON.stringify(required)}`];
}

function byAction(statements: Json[]): Json[] {
  return statements.toSorted((a, b) => (String(a.Action) < String(b.Action) ? -1 : 1));
}

/** The outputs of a stack, without their descriptions. */
export function outputsOf(synth: StackSynth): Json {
  const outputs = Object.entries(synth.template.Outputs);
  return plain(synth, Object.fromEntries(outputs.map(([id, { Description: _, ...output }]) => [id, output])));
}

/** The account and the Region of a stage, or what stands for those of the deployment. */
export function placeOf({ account = '{AWS::AccountId}', region = '{AWS::Region}' }: Partial<Stage>) {
  return { account, region, partition: region.startsWith('{') ? '{AWS::Partition}' : 'aws' };
}

/** The ARN of something in the account and the Region of a stage. */
export function arn(stage: Partial<Stage>, service: string, resource: string, owner?: string): string {
  const { account, region, partition } = placeOf(stage);
  return `arn:${partition}:${service}:${region}:${owner ?? account}:${resource}`;
}

/** A reference to the stage of the API. */
export function apiStageOf({ name }: Stage): string {
  return `{ApiDeploymentStage${name.replaceAll('-', '')}}`;
}
