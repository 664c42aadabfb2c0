import { isDeepStrictEqual } from 'node:util';
import type { Fields } from './canonical.ts';
import { listOf, type Rule } from './rules.ts';

/** The statements of a policy may only be told in other words; or these words say what is lost and what is gained. */
export const keepsPermissions: Rule = (was, is) => {
  const [before, after] = [permissionsOf(was), permissionsOf(is)];
  const lost = before.filter((each) => !isAmong(after, each));
  const gained = after.filter((each) => !isAmong(before, each));
  const words = [
    lost.map((each) => `loses ${JSON.stringify(each)}`),
    gained.map((each) => `gains ${JSON.stringify(each)}`),
  ];
  return words.flat().join('; ') || true;
};

const isAmong = (permissions: readonly Fields[], permission: Fields) =>
  permissions.some((each) => isDeepStrictEqual(each, permission));

/** The statements for one action and one resource each. */
function permissionsOf(statements: unknown): Fields[] {
  return listOf(statements).flatMap((statement) => {
    const { Sid: _, Action, Resource, ...others } = Object(statement);
    return listOf(Action).flatMap((action) =>
      listOf(Resource).map((resource) => ({ ...others, Action: action, Resource: resource })),
    );
  });
}
