/**
 * Two mutators that Stryker lacks: a number one too high or too low, and an object without one of its
 * properties (a header, a field of the log line, a parameter of a call).
 */

/** The part of Babel's paths and nodes used here. */
export interface Path {
  readonly node: Node;
  readonly parent?: Node;
}

interface Node {
  readonly type: string;
  readonly value?: number | string | bigint;
  readonly properties?: readonly Node[];
  readonly key?: unknown;
  readonly argument?: Node;
  readonly operator?: string;
  readonly prefix?: boolean;
}

/** A mutator for Stryker's instrumenter. */
export interface Mutator {
  readonly name: string;
  mutate(path: Path): Iterable<Node>;
}

const number: Mutator = {
  name: 'NumberByOne',
  *mutate({ node, parent }) {
    if (parent?.key === node) return;
    for (const step of [1, -1]) {
      if (node.type === 'NumericLiteral') yield numeric(Number(node.value) + step);
      if (node.type === 'BigIntLiteral') yield bigint(BigInt(node.value ?? 0) + BigInt(step));
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

const numeric = (value: number): Node =>
  value < 0 ? negative(numeric(-value)) : { type: 'NumericLiteral', value };
const bigint = (value: bigint): Node =>
  value < 0n ? negative(bigint(-value)) : { type: 'BigIntLiteral', value: String(value) };
const negative = (argument: Node): Node => ({
  type: 'UnaryExpression',
  operator: '-',
  prefix: true,
  argument,
});

export const MORE_MUTATORS: readonly Mutator[] = [number, property];
