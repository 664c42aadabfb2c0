import { isDeepStrictEqual } from 'node:util';
import { type Fields, field } from './canonical.ts';
import { listOf, type Rule } from './rules.ts';

/** The statements of a policy may only allow more; or the words say which permissions are lost. */
export const keepsPermissions: Rule = (was, is) => {
  const has = permissionsOf(is);
  const lost = permissionsOf(was).filter((each) => !has.some((other) => covers(other, each)));
  return lost.length === 0 || lost.map((each) => `loses ${JSON.stringify(each)}`).join('; ');
};

/** The statements for one action and one resource each. */
function permissionsOf(statements: unknown): Fields[] {
  return listOf(statements).flatMap((statement) => {
    const { Sid: _, Action, Resource, ...others } = Object(statement);
    return listOf(Action).flatMap((action) =>
      listOf(Resource).map((resource) => ({ ...others, Action: action, Resource: resource })),
    );
  });
}

/** Whether a permission is the other one, or allows more: by a wildcard at the end, or without the condition. */
function covers(permission: Fields, other: Fields): boolean {
  const { Action, Resource, Condition, ...others } = permission;
  const { Action: action, Resource: resource, Condition: condition, ...rest } = other;
  return (
    (Condition === undefined || isDeepStrictEqual(Condition, condition)) &&
    isDeepStrictEqual(others, rest) &&
    includes(Action, action) &&
    includes(Resource, resource)
  );
}

/** Only a star at the end is read as a wildcard; a value that is no text must be the same. */
const includes = (pattern: unknown, text: unknown) =>
  isDeepStrictEqual(pattern, text) ||
  (/^[^*?]*\*$/.test(String(pattern)) && String(text).startsWith(String(pattern).slice(0, -1)));

/** Whether a part of a value may be a policy that denies. What denies nothing is known only of "Allow". */
export function hasDeny(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, each]) => {
    const statements = key.endsWith('PolicyDocument') ? listOf(field(each, 'Statement')) : [];
    return statements.some((statement) => field(statement, 'Effect') !== 'Allow') || hasDeny(each);
  });
}
