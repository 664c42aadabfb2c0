import { isDeepStrictEqual } from 'node:util';
import type { Fields } from './canonical.ts';
import { listOf, type Rule } from './rules.ts';

/** The statements of a policy may only allow another action on a resource that they name; or the words say what is lost or gained. */
export const keepsPermissions: Rule = (was, is) => {
  const [before, after] = [permissionsOf(was), permissionsOf(is)];
  const lost = before.filter((each) => !isAmong(after, each));
  const gained = after.filter((each) => !isAmong(before, each) && !isNarrow(each, before));
  const words = [
    lost.map((each) => `loses ${JSON.stringify(each)}`),
    gained.map((each) => `gains ${JSON.stringify(each)}`),
  ];
  return words.flat().join('; ') || true;
};

const isAmong = (permissions: readonly Fields[], permission: Fields) =>
  permissions.some((each) => isDeepStrictEqual(each, permission));

const isNarrow = ({ Effect, Action, Resource }: Fields, before: readonly Fields[]) =>
  Effect === 'Allow' &&
  /^[\w-]+:\w+$/.test(String(Action)) &&
  Resource !== '*' &&
  before.some((each) => each.Resource === Resource);

/** The statements for one action and one resource each. */
function permissionsOf(statements: unknown): Fields[] {
  return listOf(statements).flatMap((statement) => {
    const { Sid: _, Action, Resource, ...others } = Object(statement);
    return listOf(Action).flatMap((action) =>
      listOf(Resource).map((resource) => ({ ...others, Action: action, Resource: resource })),
    );
  });
}
