/**
 * Mutators that Stryker lacks: a number one too high or too low, an object without one of its properties (a header, a
 * field of the log line, a parameter of a call), and a constant with another value: Stryker's empty text is often refused
 * by the code that gets it, so that any test fails, whatever it expects.
 */

/** The part of Babel's nodes used here. */
export interface Node {
  readonly type: string;
  readonly value?: number | string | { readonly raw: string };
  readonly properties?: readonly Node[];
  readonly key?: unknown;
  readonly argument?: Node;
  readonly callee?: Node;
  readonly name?: string;
  readonly id?: Node;
  readonly quasis?: readonly Node[];
  readonly expressions?: readonly Node[];
  readonly tail?: boolean;
}

/** A node in its place. */
export interface NodePath {
  readonly node: Node;
  readonly parent?: Node;
}

/** A mutator for Stryker's instrumenter. */
export interface Mutator {
  readonly name: string;
  mutate(path: NodePath): Iterable<Node>;
}

const number: Mutator = {
  name: 'NumberByOne',
  *mutate({ node: { type, value }, node, parent }) {
    if (parent?.key === node) return;
    for (const step of [1, -1]) {
      // Babel prints a negative value as it is.
      if (type === 'NumericLiteral') yield { type, value: Number(value) + step };
      if (type === 'BigIntLiteral') yield { type, value: String(BigInt(String(value ?? 0)) + BigInt(step)) };
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

/** Another valid value for constants whose user refuses any other text. */
const VALID: ReadonlyMap<unknown, string> = new Map([
  ['sha256', 'sha512'],
  ['hex', 'base64'],
  ['base64', 'hex'],
  ['base64url', 'base64'],
  ['utf8', 'latin1'],
  ['latin1', 'utf8'],
  ['N', 'S'],
  ['S', 'N'],
  ['http:', 'https:'],
  ['https:', 'http:'],
  ['ALL_OLD', 'NONE'],
  ['Allow', 'Deny'],
  ['wx', 'w'],
]);

/** Where a text is the name of something, not a value. */
const NAMING = /^(Import|Export|TS|ExpressionStatement|ObjectMethod)/;
/** A comparison with a changed text fails in the same way as one with Stryker's empty text. */
const COMPARISON = ['BinaryExpression', 'SwitchCase'];

const constant: Mutator = {
  name: 'ConstantChanged',
  *mutate({ node, parent }) {
    if (parent === undefined || parent.key === node || NAMING.test(parent.type)) return;
    const { type, value, quasis = [], expressions = [] } = node;
    if (type === 'StringLiteral' && isConstant(value) && !COMPARISON.includes(parent.type))
      yield { type, value: VALID.get(value) ?? `${value}~` };
    for (const [index, quasi] of quasis.entries()) {
      if (!isConstant(rawOf(quasi))) continue;
      const changed = { ...quasi, value: { raw: `~${rawOf(quasi)}` } };
      yield { type, quasis: quasis.with(index, changed), expressions };
    }
  },
};

const rawOf = ({ value }: Node) => (typeof value === 'object' ? value.raw : '');

/** A text without whitespace is a name, a format or a setting; with it, it is a sentence for people. */
const isConstant = (text: unknown) => typeof text === 'string' && /^\S+$/.test(text);

export const MORE_MUTATORS: readonly Mutator[] = [number, property, constant];

/** Names of properties and variables with a text that only people read. */
const LABELS = /^(\w*[dD]escription|title|label|displayName|impact|markdown|about|usage|notes|TOKEN_NOTES)$/;
/** Functions that get such texts. */
const LABELLING = ['graph', 'wideGraph', 'heading', 'output'];

/** An ignorer for Stryker's instrumenter, for texts that only people read. */
export const LABEL_IGNORER = {
  shouldIgnore({ node, parent }: NodePath): string | undefined {
    const name = (node.key as Node | undefined)?.name ?? node.id?.name ?? '';
    const isArgument = parent?.type === 'CallExpression' && LABELLING.includes(parent.callee?.name ?? '');
    const text = node.quasis ? node.quasis.map(rawOf).join('') : node.value;
    // The name of an option's value in the help.
    const isOfOption =
      name === 'value' && parent?.properties?.some(({ key }) => (key as Node)?.name === 'about');
    // An option that only has a text in the help.
    const isFlag = node.properties?.length === 1 && (node.properties[0]?.key as Node)?.name === 'about';
    const isLabel =
      isFlag || isOfOption || LABELS.test(name) || (isArgument && /\s/.test(String(text ?? '')));
    return isLabel ? 'only people read it' : undefined;
  },
};
