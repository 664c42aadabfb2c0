import { isDeepStrictEqual } from 'node:util';
import type { Json, Resource, Synth } from '../synth.ts';

/** A rule for a stage, checked in its template. Its expectations are written by hand, not imported from infra/ or lambda/. */
export interface Policy {
  readonly says: string;
  /** The violations of the rule, one line each. */
  violations(synth: Synth): string[];
  /** Changes to a template that the policy must detect. */
  readonly mutants: readonly [Mutant, ...Mutant[]];
}

/** Changes a template: a function, or a value of a resource to set; without the value, it is removed. */
export type Mutant = ((synth: Synth) => unknown) | readonly [resource: string, path: string, value?: unknown];

/** Required values of a resource by their paths, which are names and indexes separated by dots. */
type Values = Readonly<Record<string, unknown>>;

/**
 * Finds resources.
 * @param resource a type, or a logical id with or without the CDK's 8 digits
 */
export function find({ template }: Synth, resource: string): [id: string, resource: Resource][] {
  return Object.entries(template.Resources).filter(([id, { Type }]) =>
    [Type, id, id.slice(0, -8)].includes(resource),
  );
}

/** One line for each value of the resources that is not the required one, or one if there is no such resource. */
export function every(
  synth: Synth,
  resource: string,
  required: Values | ((properties: Json, id: string) => Values),
): string[] {
  const found = find(synth, resource);
  if (found.length === 0) return [`there is no ${resource}`];
  return found.flatMap(([id, each]) => {
    const values = typeof required === 'function' ? required(each.Properties, id) : required;
    return Object.entries(values).flatMap(([path, value]) => {
      const [owner, name] = place(each, path);
      return differ(`${path} of ${id}`, owner?.[name], value);
    });
  });
}

/** One line if a value is not the required one. */
export function differ(what: string, found: unknown, required: unknown): string[] {
  if (isDeepStrictEqual(found, required)) return [];
  return [`${what} is ${JSON.stringify(found)}, must be ${JSON.stringify(required)}`];
}

/** Changes a template; if several resources match, only the first. */
export function mutate(synth: Synth, mutant: Mutant): void {
  if (typeof mutant === 'function') return void mutant(synth);
  const [resource, path, value] = mutant;
  const [[, found] = []] = find(synth, resource);
  const [owner, name] = place(found, path);
  if (value === undefined) delete owner[name];
  else owner[name] = value;
}

/** Removes the first of some resources. */
export function without(resource: string): Mutant {
  return (synth) => delete synth.template.Resources[find(synth, resource)[0]?.[0] ?? ''];
}

/** The owner and name of the value at a path, which starts in the properties or at an attribute such as UpdatePolicy. */
function place(resource: Json, path: string): [owner: Json, name: string] {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const start = (names[0] ?? last) in resource ? resource : resource.Properties;
  return [names.reduce<Json>((object, name) => object?.[name], start), last];
}
