import { isDeepStrictEqual } from 'node:util';
import { field, isFields } from './canonical.ts';
import { listOf, type Rule } from './rules.ts';

/** The document of a policy may only get more permissions; or the words say which are lost. */
export const keepsPermissions: Rule = (was, is) => {
  const [had, has] = [permissionsOf(was), permissionsOf(is)];
  const lost = had.filter((each) => !has.some((other) => covers(other, each)));
  if (!isDeepStrictEqual(field(was, 'Version'), field(is, 'Version'))) return false;
  return lost.length === 0 || lost.map((each) => `loses ${inWords(each)}`).join('; ');
};

/** The statements of a policy; the document itself if only CloudFormation can read it. */
function statementsOf(document: unknown): unknown[] {
  const statements = field(document, 'Statement');
  return statements === undefined ? [document] : listOf(statements);
}

/** The statements for one action and one resource each, if they are written so. */
function permissionsOf(document: unknown): unknown[] {
  return statementsOf(document).flatMap((statement): unknown[] => {
    if (!isFields(statement)) return [statement];
    const { Sid: _, Action, Resource, ...others } = statement;
    return listOf(Action).flatMap((action) =>
      listOf(Resource).map((resource) => ({ ...others, Action: action, Resource: resource })),
    );
  });
}

/** Whether a permission is the other one, or allows more: by a wildcard at the end, or without the condition. */
function covers(permission: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(permission, other)) return true;
  if (!isFields(permission) || !isFields(other) || other.Effect !== 'Allow') return false;
  const { Action, Resource, ...more } = permission;
  const { Action: action, Resource: resource, Condition: _, ...less } = other;
  const isRest = [less, { ...less, Condition: other.Condition }].some((each) =>
    isDeepStrictEqual(more, each),
  );
  return isRest && includes(Action, action) && includes(Resource, resource);
}

const includes = (pattern: unknown, text: unknown) =>
  pattern === text ||
  (typeof pattern === 'string' &&
    typeof text === 'string' &&
    /^[^*?]*\*$/.test(pattern) &&
    text.startsWith(pattern.slice(0, -1)));

function inWords(permission: unknown): string {
  const { Effect, Action, Resource, ...others } = isFields(permission) ? permission : {};
  const isPlain = Effect === 'Allow' && typeof Action === 'string' && Object.keys(others).length === 0;
  return isPlain ? `${Action} on ${Resource}` : String(JSON.stringify(permission));
}

/** Whether a part of a value may be a policy that denies. What denies nothing is known only of "Allow". */
export function hasDeny(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, each]) => {
    const statements = key.endsWith('PolicyDocument') ? statementsOf(each) : [];
    return statements.some((statement) => field(statement, 'Effect') !== 'Allow') || hasDeny(each);
  });
}
