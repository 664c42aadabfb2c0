import { isDeepStrictEqual } from 'node:util';

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object of JSON, and not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A part of an object or a list, but not what every JavaScript object has, such as `constructor`. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Fields)[name]
    : undefined;
}

/**
 * A value of a template with references as texts: `{"Ref": "Plants"}` becomes `${Plants}`, and a literal `$` becomes `$$`. So a
 * name that the CDK joins from parts equals the same name in one piece.
 * @param known what is known of the pseudo parameters, such as `AWS::Region`
 */
export function canonical(value: unknown, known: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return value.replaceAll('$', '$$$$');
  if (Array.isArray(value)) return value.map((each) => canonical(each, known));
  if (!isFields(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, canonical(part, known)] as const);
  const [[name, argument] = [], ...others] = parts;
  const [separator, list] = Array.isArray(argument) && argument.length === 2 ? argument : [];
  const whole = Object.fromEntries(parts);
  if (others.length > 0) return whole;
  if (name === 'Ref' && typeof argument === 'string') return field(known, argument) || `\${${argument}}`;
  if (name === 'Fn::GetAtt' && areTexts([argument].flat())) return `\${${[argument].flat().join('.')}}`;
  return name === 'Fn::Join' && areTexts([separator]) && areTexts(list) ? list.join(separator) : whole;
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Whether a change may pass, from the value before to the one after (undefined: absent); or what it loses, in words. */
export type Rule = (was: unknown, is: unknown) => boolean | string;

/** Rules by the paths of what they allow to change; `*` is any place in a list. */
export type Allowed = Readonly<Record<string, Rule>>;

/**
 * The changes of a value that are not allowed, each in words.
 * @param allowed rules by paths, such as `Properties.Replicas.*`; a part without a rule may not change
 * @param path of the value
 */
export function changesOf(was: unknown, is: unknown, allowed: Allowed, path = ''): string[] {
  if (isDeepStrictEqual(was, is)) return [];
  const rule = field(allowed, path.replaceAll(/\.\d+(?=\.|$)/g, '.*')) as Rule | undefined;
  const verdict = rule?.(was, is) ?? false;
  if (verdict === true) return [];
  const parts = rule ? [] : partsOf(was ?? {}, is ?? {});
  if (parts.length > 0)
    return parts.flatMap((key) =>
      changesOf(field(was, key), field(is, key), allowed, path === '' ? key : `${path}.${key}`),
    );
  return [verdict || `${path.replace(/^Properties\./, '')} changes from ${text(was)} to ${text(is)}`];
}

/** The keys by which two values are compared part by part; none if they can only be compared as a whole. */
function partsOf(was: unknown, is: unknown): string[] {
  if (Array.isArray(was) && Array.isArray(is)) return was.length === is.length ? Object.keys(was) : [];
  return isFields(was) && isFields(is) ? [...new Set([was, is].flatMap(Object.keys))] : [];
}

const text = (value: unknown) => JSON.stringify(value) ?? 'nothing';
