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
 * Whether CloudFormation makes something else of a value: an intrinsic function, or a part of the template that a macro
 * rewrites (CloudFormation User Guide, Fn::Transform: it processes what stands beside it; JSON may shorten it to Transform).
 */
export function isResolvedLater(value: unknown): boolean {
  const keys = isFields(value) ? Object.keys(value) : [];
  return keys.some((key) => key === 'Ref' || key === 'Transform' || key.startsWith('Fn::'));
}

/** What a value refers to. */
export interface Reference {
  /** A value is a parameter or a resource. */
  readonly to: 'value' | 'condition' | 'mappings';
  readonly name: string;
  /** An attribute of the resource. */
  readonly attribute?: string;
}

/** Everything that a value refers to, at any depth. */
export function referencesOf(value: unknown): Reference[] {
  if (Array.isArray(value)) return value.flatMap(referencesOf);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => [...directly(key, each), ...referencesOf(each)]);
}

function directly(key: string, argument: unknown): Reference[] {
  const [first, ...others] = Array.isArray(argument) ? argument : [argument];
  if (key === 'Fn::FindInMap') return [{ to: 'mappings', name: 'Mappings' }];
  if (typeof first !== 'string') return [];
  if (key === 'Ref') return [{ to: 'value', name: first }];
  if (key === 'Condition' || key === 'Fn::If') return [{ to: 'condition', name: first }];
  if (key === 'Fn::GetAtt') return [valueAt([first, ...others].join('.'))];
  // ${!Name} is text.
  if (key === 'Fn::Sub')
    return [...first.matchAll(/\$\{([^!}][^}]*)\}/g)].map(([, path = '']) => valueAt(path));
  return [];
}

/** @param path a parameter, a resource, or an attribute of a resource, such as `Table.Arn` */
function valueAt(path: string): Reference {
  const [name = '', ...attribute] = path.trim().split('.');
  return { to: 'value', name, ...(attribute.length > 0 && { attribute: attribute.join('.') }) };
}
