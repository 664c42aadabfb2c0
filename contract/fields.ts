/** An object of the YAML file before anything is known of it. */
export type Fields = Record<string, unknown>;

/**
 * Takes a value as a map.
 * @param known the only fields it may have; undefined: any
 * @throws Error naming the case
 */
export function fieldsOf(value: unknown, known: readonly string[] | undefined, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(name, 'a map is missing');
  const unknown = Object.keys(value).find((field) => known && !known.includes(field));
  if (unknown !== undefined) fail(name, `there is no field ${unknown}`);
  return value as Fields;
}

/** Takes a value as a list. @throws Error naming the case */
export function listOf(value: unknown, name: string): unknown[] {
  return Array.isArray(value) ? value : fail(name, 'a list is missing');
}

/** Takes a value as a text. @throws Error naming the case */
export function textOf(value: unknown, name: string, field: string): string {
  return typeof value === 'string' ? value : fail(name, `${field} must be a text`);
}

/** @throws Error naming the case and what is wrong with it */
export function fail(name: string, problem: string): never {
  throw new Error(`Contract case "${name}": ${problem}.`);
}
