import { type Document, isMap, isNode, isSeq } from 'yaml';

/** The node of a pointer such as `#/components/schemas/Address`. */
export function nodeAt(document: Document, pointer: unknown): unknown {
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
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => {
    const list = node.get(name);
    return isSeq(list) ? list.items : [];
  });
  for (const part of [nodeAt(document, node.get('$ref')), ...parts])
    consider(deepest(document, part, keys, offset, [...open, node]));
  return best;
}
