export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object of JSON, and not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a field, but not of one that every JavaScript object has, such as `constructor`. */
export function field(fields: unknown, name: string): unknown {
  return isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/**
 * A value of a template with its texts and references as texts of `Fn::Sub`: `{"Ref": "Plants"}` becomes `${Plants}`, and
 * a literal `${` becomes `${!` (CloudFormation Template Reference, Fn::Sub). So a name that is joined from parts equals the
 * same name in one piece.
 * @param known what is known of the pseudo parameters, such as `AWS::Region`
 */
export function canonical(value: unknown, known: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return value.replaceAll('${', '${!');
  if (Array.isArray(value)) return value.map((each) => canonical(each, known));
  if (!isFields(value)) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, canonical(each, known)] as const);
  return (fields.length === 1 && referenceText(value, fields[0], known)) || Object.fromEntries(fields);
}

function referenceText(
  original: Fields,
  [name, argument]: readonly [string, unknown] = ['', undefined],
  known: Readonly<Record<string, string>>,
): string | undefined {
  const parts = Array.isArray(argument) ? argument : [argument];
  const [separator, list] = parts;
  // A `$` at the end of one part and a brace at the start of the next would look like a reference.
  if (name === 'Fn::Join' && areTexts([separator]) && areTexts(list))
    return [separator, ...list].some((each) => String(each).endsWith('$'))
      ? undefined
      : list.join(String(separator));
  if (!areTexts(parts)) return undefined;
  if (name === 'Ref' || name === 'Fn::GetAtt') return reference(parts.join('.'), known);
  const text = original['Fn::Sub'];
  return typeof text === 'string'
    ? text.replaceAll(/\$\{([^!}]+)\}/g, (_, path) => reference(path, known))
    : undefined;
}

const reference = (path: string, known: Readonly<Record<string, string>>) =>
  (Object.hasOwn(known, path) && known[path]) || `\${${path}}`;

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** The parameters and resources to which a canonical value refers, at any depth. */
export function referencesOf(value: unknown): string[] {
  const found = (JSON.stringify(value) ?? '').matchAll(/\$\{([^!}.][^}.]*)/g);
  return [...found].map(([, name = '']) => name);
}
