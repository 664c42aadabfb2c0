/** Attributes of an item, or values of placeholders, in DynamoDB's JSON. */
export type Texts = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>;

/**
 * Evaluates a condition of a put: `attribute_not_exists`, `=`, `AND`, `OR` and parentheses (DynamoDB developer guide,
 * "Condition and filter expressions, operators, and functions"; AND binds more tightly than OR).
 * @throws Error on anything else
 */
export function isTrue(
  expression: string,
  item: Texts,
  names: Readonly<Record<string, string>>,
  values: Texts,
): boolean {
  const words = expression.match(/attribute_not_exists|AND|OR|[()=]|[#:]\w+|\S+/g) ?? [];
  const attribute = (word = '') => item[names[word] as string];

  function take(...expected: string[]): void {
    const word = words.shift();
    if (word === undefined || !expected.includes(word))
      throw new Error(`Unexpected "${word}" in a condition.`);
  }

  function either(): boolean {
    let result = both();
    while (words[0] === 'OR') {
      words.shift();
      result = both() || result;
    }
    return result;
  }

  function both(): boolean {
    let result = single();
    while (words[0] === 'AND') {
      words.shift();
      result = single() && result;
    }
    return result;
  }

  function single(): boolean {
    const word = words.shift();
    if (word === '(') {
      const result = either();
      take(')');
      return result;
    }
    if (word === 'attribute_not_exists') {
      take('(');
      const found = attribute(words.shift());
      take(')');
      return found === undefined;
    }
    take('=');
    const left = attribute(word);
    const right = values[words.shift() ?? ''];
    return left !== undefined && left.S === right?.S && left.N === right?.N;
  }

  const result = either();
  if (words.length > 0) throw new Error(`Unexpected "${words[0]}" in a condition.`);
  return result;
}
