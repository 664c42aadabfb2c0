import { isDeepStrictEqual } from 'node:util';
import { type Json, type Resource, resources, type Synth } from '../synth.ts';

/** A rule for a stage, checked in its template. Its expectations are written by hand, not imported from infra/ or lambda/. */
export interface Policy {
  readonly says: string;
  /** The violations of the rule, one line each. */
  violations(synth: Synth): string[];
  /** Changes to a template that the policy must detect. */
  readonly mutations: readonly [Mutation, ...Mutation[]];
}

/** Changes a template. */
export type Mutation = (synth: Synth) => unknown;

/** Claims about a resource: a value and the required value, or a statement and whether it is true. */
export type Claims = Readonly<Record<string, boolean | readonly [found: unknown, expected: unknown]>>;

/** Checks claims about every resource of a type, of which there must be at least one. */
export function each(
  synth: Synth,
  type: string,
  claims: (resource: Resource, id: string) => Claims,
): string[] {
  const found = resources(synth, type);
  if (found.length === 0) return [`there is no ${type}`];
  return found.flatMap(([id, resource]) => broken(id, claims(resource, id)));
}

/** The claims that are false, one line each. */
export function broken(about: string, claims: Claims): string[] {
  return Object.entries(claims).flatMap(([what, claim]) => {
    if (typeof claim === 'boolean') return claim ? [] : [`${about}: it is not true that ${what}`];
    const [found, expected] = claim;
    if (isDeepStrictEqual(found, expected)) return [];
    return `${about}: ${what} is ${JSON.stringify(found)}, must be ${JSON.stringify(expected)}`;
  });
}

/**
 * A mutation that sets one value of one resource.
 * @param resource a type, of which the first resource is changed, or a logical id with or without the CDK's 8 digits
 * @param path names and indexes, separated by dots
 * @param value the new value; if omitted, the value at the path is removed
 */
export function change(resource: string, path: string, value?: unknown): Mutation {
  const mutate: Mutation = ({ template }) => {
    const [, found] =
      Object.entries(template.Resources).find(([id, { Type }]) =>
        [Type, id, id.slice(0, -8)].includes(resource),
      ) ?? [];
    const names = path.split('.');
    const last = names.pop() ?? '';
    const owner = names.reduce<Json>((object, name) => object[name], found);
    if (value === undefined) delete owner[last];
    else owner[last] = value;
  };
  return Object.assign(mutate, { toString: () => `${resource}.${path} = ${JSON.stringify(value)}` });
}
