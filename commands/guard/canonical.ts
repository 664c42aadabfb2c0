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
  const [separator, list] = Array.isArray(argument) ? argument : [];
  const whole = Object.fromEntries(parts);
  if (others.length > 0) return whole;
  if (name === 'Ref' && typeof argument === 'string') return field(known, argument) || `\${${argument}}`;
  if (name === 'Fn::GetAtt' && areTexts([argument].flat())) return `\${${[argument].flat().join('.')}}`;
  return name === 'Fn::Join' && areTexts([separator]) && areTexts(list) ? list.join(separator) : whole;
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
