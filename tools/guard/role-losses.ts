import { Comparison } from './comparison.ts';
import type { Harmless } from './kinds.ts';
import { changeInWords, type Loss, leftOutOf, valuesOf } from './loss.ts';
import { covers, inWords, isFunctionRole, permissionsOf } from './permissions.ts';
import { field } from './references.ts';
import type { Template } from './templates.ts';

const always: Harmless = () => true;

/** Changes of the role itself. Its policies are compared permission by permission; other changes cannot be judged. */
const HARMLESS: Readonly<Record<string, Harmless>> = {
  DependsOn: always,
  Metadata: always,
  'Properties.Description': always,
  'Properties.ManagedPolicyArns': always,
  'Properties.Policies': always,
};

/**
 * Finds what could break an earlier version of the function. All versions share its role, and a deployment changes the
 * role before it moves the alias: a permission that the new code does not need is used by the version that still serves,
 * and by each one to which a rollback returns.
 * @param reported the ids of resources whose changes are losses by themselves
 */
export function findRoleLosses(before: Template, after: Template, reported: readonly string[]): Loss[] {
  const comparison = new Comparison(before, after);
  const roles = Object.keys(before.Resources).filter((id) => isFunctionRole(id, before));
  return roles.flatMap((id) => {
    if (field(after.Resources, id) === undefined)
      return {
        id,
        sentence: `The role ${id} would be removed, but earlier versions of the function use it.`,
      };
    const [had, has] = [permissionsOf(id, before), permissionsOf(id, after)];
    const lost = had.filter(
      (was) =>
        was.Effect !== 'Deny' &&
        (!has.some((is) => covers(is, was)) ||
          comparison.changingReferences(was).some((name) => !reported.includes(name))),
    );
    // What denies nothing is known only of "Allow".
    const denied = has.filter((is) => is.Effect !== 'Allow' && !had.some((was) => covers(was, is)));
    const changes = comparison.changesOf(id, HARMLESS);
    const words = [
      ...lost.map((each) => `loses ${inWords(each)}`),
      ...denied.map((each) => `gets ${inWords(each)}`),
      ...changes.map(changeInWords),
    ].join('; ');
    const values = [...lost, ...denied, ...valuesOf(changes)];
    const sentence = `The role ${id} may break earlier versions of the function: ${words}.`;
    return words === '' ? [] : { id, sentence, leftOut: leftOutOf(values, words, comparison) };
  });
}
