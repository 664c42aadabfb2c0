import { type Document, isMap, isNode, isSeq } from 'yaml';
import { type Pointers, VARIANTS, type Written } from './written-in-place.ts';

/** Finds schemas by pointers such as `#/components/schemas/Address`; none that refers to itself, also by others. */
export function schemasIn(document: Document): Pointers {
  const found = (pointer: string) => {
    const node = nodeAt(document, pointer);
    return isMap(node) ? (node.toJS(document) as Written) : undefined;
  };
  /** What each refers to, itself and by others. */
  const reached = new Map<string, Set<string>>();
  const reachedFrom = (pointer: string) => {
    const all = new Set<string>();
    reached.set(pointer, all);
    for (const next = [pointer]; next.length > 0; )
      for (const each of referencesIn(found(next.pop() ?? '')))
        if (!all.has(each)) {
          all.add(each);
          next.push(each);
        }
    return all;
  };
  return (pointer) =>
    (reached.get(pointer) ?? reachedFrom(pointer)).has(pointer) ? undefined : found(pointer);
}

function referencesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? value : referencesIn(value),
  );
}

/** The node of a pointer. */
function nodeAt(document: Document, pointer: unknown): unknown {
  const keys = String(pointer)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys[0] === '#' ? document.getIn(keys.slice(1), true) : undefined;
}

/** The offset of the deepest of some keys that is there, also in what a schema refers to, and in its parts. */
export function offsetOf(document: Document, keys: readonly string[]): number {
  return deepest(document, document.contents, keys, 0, []).offset;
}

function deepest(
  document: Document,
  node: unknown,
  keys: readonly string[],
  offset: number,
  open: readonly unknown[],
): { offset: number; left: number } {
  const [key, ...others] = keys;
  let best = { offset, left: keys.length };
  if (key === undefined || open.includes(node)) return best;
  const consider = (found: typeof best) => {
    if (found.left < best.left) best = found;
  };
  const enter = (at: unknown, value: unknown) =>
    consider(deepest(document, value, others, (isNode(at) && at.range?.[0]) || offset, []));
  if (isSeq(node)) enter(node.items[Number(key)], node.items[Number(key)]);
  if (!isMap(node)) return best;
  for (const pair of node.items) if (String(pair.key) === key) enter(pair.key, pair.value);
  const parts = VARIANTS.flatMap((name) => {
    const list = node.get(name);
    return isSeq(list) ? list.items : [];
  });
  for (const part of [nodeAt(document, node.get('$ref')), ...parts])
    consider(deepest(document, part, keys, offset, [...open, node]));
  return best;
}
