/**
 * Two mutators that Stryker lacks: a number one too high or too low, and an object without one of its
 * properties (a header, a field of the log line, a parameter of a call).
 */

/** The part of Babel's nodes used here. */
interface Node {
  readonly type: string;
  readonly value?: number | string;
  readonly properties?: readonly Node[];
  readonly key?: unknown;
  readonly argument?: Node;
}

/** A mutator for Stryker's instrumenter. */
export interface Mutator {
  readonly name: string;
  mutate(path: { readonly node: Node; readonly parent?: Node }): Iterable<Node>;
}

const number: Mutator = {
  name: 'NumberByOne',
  *mutate({ node: { type, value }, node, parent }) {
    if (parent?.key === node) return;
    for (const step of [1, -1]) {
      // Babel prints a negative value as it is.
      if (type === 'NumericLiteral') yield { type, value: Number(value) + step };
      if (type === 'BigIntLiteral') yield { type, value: String(BigInt(value ?? 0) + BigInt(step)) };
    }
  },
};

const property: Mutator = {
  name: 'PropertyLeftOut',
  *mutate({ node, parent }) {
    const isProperty = node.type === 'ObjectProperty' || node.type === 'SpreadElement';
    if (!isProperty || parent?.type !== 'ObjectExpression' || parent.properties?.length === 1) return;
    yield { type: 'SpreadElement', argument: { type: 'ObjectExpression', properties: [] } };
  },
};

export const MORE_MUTATORS: readonly Mutator[] = [number, property];
