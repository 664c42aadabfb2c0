import { isDeepStrictEqual } from 'node:util';
import { field, isFields } from './canonical.ts';

/** Whether a change may pass, from the value before to the one after (undefined: absent); or what it loses, in words. */
export type Rule = (was: unknown, is: unknown) => boolean | string;

export const always: Rule = () => true;

/** There may be a value where none was. */
export const isNew: Rule = (was) => was === undefined;

/** The value may only become one of these. */
export const becomes =
  (...values: readonly unknown[]): Rule =>
  (_, is) =>
    values.includes(is);

/** @param absent the number that an absent value means */
export const isNotLess =
  (absent: number): Rule =>
  (was = absent, is = absent) =>
    typeof was === 'number' && typeof is === 'number' && is >= was;

/**
 * A figure may change tenfold: with more, an alarm would never fire again, and a limit limit nothing or everything.
 * @param options.absent what an absent figure counts as; if none is given, a first figure is refused
 * @param options.fold another factor than ten
 */
export const isSimilar =
  ({ absent, fold = 10 }: { absent?: number; fold?: number } = {}): Rule =>
  (was = absent, is) =>
    typeof was === 'number' && typeof is === 'number' && is > 0 && is <= was * fold && is * fold >= was;

/** A list may only get more elements. */
export const adds: Rule = (was = [], is = []) =>
  listOf(was).every((each) => listOf(is).some((other) => isDeepStrictEqual(each, other)));

/** There may be a key more among tags; none may change or go, because backups and access policies select by them. */
export const addsTags: Rule = (was = [], is = []) => {
  if (!Array.isArray(is))
    return isFields(is) && isFields(was) && adds(Object.entries(was), Object.entries(is));
  return adds(was, is) && new Set(is.map((tag) => field(tag, 'Key'))).size === is.length;
};

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
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
