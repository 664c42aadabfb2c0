import { isDeepStrictEqual } from 'node:util';
import { type Deployed, type Resource, resources } from '../deployed.ts';

/** A sentence about a deployed stage that can be read from its template. */
export interface Policy {
  readonly says: string;
  /** What contradicts the sentence: one line each, empty when it holds. */
  violations(deployed: Deployed): string[];
  /** Ways to break a template that the policy must notice. */
  readonly mutations: readonly [(deployed: Deployed) => void, ...((deployed: Deployed) => void)[]];
}

/** Claims about something, and whether each holds. */
export type Claims = Readonly<Record<string, boolean>>;

/** Makes claims about every resource of a type, of which there must be one at least. */
export function each(
  deployed: Deployed,
  type: string,
  claims: (resource: Resource, id: string) => Claims,
): string[] {
  const found = resources(deployed, type);
  if (found.length === 0) return [`there is no ${type}`];
  return found.flatMap(([id, resource]) => broken(claims(resource, id), id));
}

/** Those claims that do not hold. */
export function broken(claims: Claims, about: string): string[] {
  return Object.entries(claims)
    .filter(([, holds]) => !holds)
    .map(([claim]) => `${about}: not so: ${claim}`);
}

/** Whether two JSON values are the same. */
export function same(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(left, right);
}
