/** Keywords of OpenAPI and JSON Schema that say nothing to a program. */
const PROSE = new Set(['$schema', 'description', 'summary', 'title', 'example', 'examples']);
/** Keywords whose objects have names of our own, which may be those of other keywords. */
export const NAMES = new Set([
  'content',
  'headers',
  'paths',
  'properties',
  'responses',
  'schemas',
  'securitySchemes',
  'variables',
]);

/** A document of OpenAPI or JSON Schema without prose, one value a line, each below its keywords: `a > b: value`. */
export function flatten(place: string, value: unknown, hasNames = false): string[] {
  if (Array.isArray(value))
    return value.flatMap((each) => flatten(place, isObject(each) ? JSON.stringify(each) : each));
  if (!isObject(value)) return [`${place}: ${value}`];
  const entries = Object.entries(value).filter(([name]) => hasNames || !PROSE.has(name));
  if (entries.length === 0) return [`${place}: {}`];
  return entries.flatMap(([name, each]) => flatten(`${place} > ${name}`, each, !hasNames && NAMES.has(name)));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
