/** Names and values, at any depth. A list is a set: its elements are names, and each has the value `true`. */
export interface Tree {
  readonly [name: string]: Tree | string | number | boolean | null;
}

/** Where references to schemas point. */
const SCHEMAS = '#/components/schemas/';
/** Keywords of OpenAPI and JSON Schema that say nothing to a program. */
const PROSE = new Set(['$schema', 'description', 'summary', 'title', 'example', 'examples']);
/** Keywords whose objects have names of our own, which may be those of other keywords. */
const NAMES = new Set([
  'paths',
  'responses',
  'content',
  'headers',
  'properties',
  'securitySchemes',
  'variables',
]);

/**
 * A document of OpenAPI or JSON Schema without prose. References are replaced by what they mean; of a schema, its name
 * remains, because generators make a type of it.
 * @param root the document to which references point
 * @throws Error if a reference points to nothing
 */
export function withoutProse(value: unknown, root?: unknown, within: readonly string[] = []): Tree[string] {
  const inner = (each: unknown) => withoutProse(each, root, within);
  if (Array.isArray(value)) return asSet(value.map(inner));
  if (typeof value !== 'object' || value === null) return value as Tree[string];
  const { $ref: reference, ...keywords } = value as Record<string, unknown>;
  const tree = mapped(keywords, (each, keyword) => {
    if (PROSE.has(keyword)) return undefined;
    return NAMES.has(keyword) ? mapped(each as object, inner) : inner(each);
  });
  if (typeof reference !== 'string') return tree;
  const name: Tree = reference.startsWith(SCHEMAS) ? { name: reference.slice(SCHEMAS.length) } : {};
  // A schema may contain itself.
  if (within.includes(reference)) return { ...tree, ...name };
  const meant = withoutProse(find(reference, root), root, [...within, reference]) as Tree;
  return { ...meant, ...tree, ...name };
}

/** A list as a set. */
export function asSet(list: readonly Tree[string][]): Tree {
  return Object.fromEntries(
    list.map((each) => [typeof each === 'string' ? each : JSON.stringify(each), true]),
  );
}

function mapped(fields: object, change: (each: unknown, name: string) => Tree[string] | undefined): Tree {
  const entries = Object.entries(fields).map(([name, each]) => [name, change(each, name)] as const);
  return Object.fromEntries(entries.flatMap(([name, each]) => (each === undefined ? [] : [[name, each]])));
}

function find(reference: string, root: unknown): unknown {
  let found: unknown = root;
  for (const name of reference.split('/').slice(1))
    found = (found as Record<string, unknown> | undefined)?.[name];
  if (found === undefined) throw new Error(`${reference} points to nothing.`);
  return found;
}
