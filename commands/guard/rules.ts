import { isDeepStrictEqual } from 'node:util';
import { type Fields, field, type Rule } from './changes.ts';

export const always: Rule = () => true;

/** There may be a value where none was. */
export const isNew: Rule = (was) => was === undefined;

/** The value may only become one of these. */
export const becomes =
  (...values: readonly unknown[]): Rule =>
  (_, is) =>
    values.includes(is);

/** A retention in days may only be longer; if it is absent, entries never expire. */
export const keepsLonger: Rule = (was = Infinity, is = Infinity) =>
  typeof was === 'number' && typeof is === 'number' && is >= was;

/**
 * A figure may change tenfold: with more, an alarm would never fire again, and a limit limit nothing or everything.
 * @param options.absent what an absent figure counts as; if none is given, a first figure is refused
 * @param options.fold another factor than ten
 */
export const isSimilar =
  ({ absent, fold = 10 }: { absent?: number; fold?: number } = {}): Rule =>
  (was = absent, is) =>
    typeof was === 'number' && typeof is === 'number' && is <= was * fold && is * fold >= was;

/** A list may only get more elements. */
export const adds: Rule = (was = [], is = []) =>
  listOf(was).every((each) => listOf(is).some((other) => isDeepStrictEqual(each, other)));

/** There may be a key more among tags; none may change or go, because backups and access policies select by them. */
export const addsTags: Rule = (was = [], is = []) =>
  Array.isArray(is) && adds(was, is) && new Set(is.map((tag) => field(tag, 'Key'))).size === is.length;

const names = (...values: unknown[]) => [...new Set(values.flatMap((each) => Object.keys(Object(each))))];
const changedNames = (was: unknown, is: unknown) =>
  names(was, is).filter((name) => !isDeepStrictEqual(field(was, name), field(is, name)));

/** There may be more variables, but none that AWS or Node.js reads, such as AWS_ENDPOINT_URL. @param open those that may change */
export const addsVariables =
  (...open: readonly string[]): Rule =>
  (was, is) =>
    changedNames(was, is).every(
      (name) => open.includes(name) || (field(was, name) === undefined && !/^(AWS|NODE)_/.test(name)),
    );

/** A JSON text for the access log may get more fields. An error's message and an authorizer's values may have tokens. */
export const addsFields: Rule = (was, is) => {
  try {
    const [before, after] = [was, is].map((text) => JSON.parse(String(text)));
    return changedNames(before, after).every(
      (name) => !field(before, name) && /^\$\$context\.(integration\.)?\w+$/.test(String(field(after, name))),
    );
  } catch {
    return false;
  }
};

/** A text may only become one that has this form. */
export const isLike =
  (pattern: RegExp): Rule =>
  (_, is) =>
    typeof is === 'string' && pattern.test(is);

/** A list, or a single value without its brackets, as IAM allows. */
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

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
