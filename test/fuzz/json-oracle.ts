/** The maximum nesting of a body (openapi.yaml, "The body"). */
const DEEPEST = 1_000;

/** The content of a JSON text; `ok` is false if the service must refuse it. */
export type JsonVerdict =
  | { readonly ok: false }
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The properties of the outermost object; a number is `#` and its literal. */
      readonly properties: ReadonlyMap<string, string>;
    };

/** The tokens of a valid JSON text: strings, punctuation, numbers and literals. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;

/** An array or object that is being read: its members so far, with strings normalized and other values as written. */
interface Open {
  /** Where it starts in the text. */
  readonly start: number;
  readonly members: string[];
  readonly properties: Map<string, string>;
  key: string | undefined;
}

/**
 * Decides whether a text is JSON that the service accepts. Node's parser checks the grammar. A stack machine finds what
 * only Node's parser accepts: duplicate properties with different values, and more than 1,000 levels of nesting.
 */
export function judgeJson(text: string): JsonVerdict {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false };
  }
  const outermost: Open = { start: 0, members: [], properties: new Map(), key: undefined };
  const stack: Open[] = [outermost];
  let properties: ReadonlyMap<string, string> = new Map();
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const top = stack.at(-1) as Open;
    if (token === '{' || token === '[') {
      stack.push({ start: index, members: [], properties: new Map(), key: undefined });
      if (stack.length > DEEPEST + 1) return { ok: false };
    } else if (token === '}' || token === ']') {
      stack.pop();
      properties = top.properties;
      if (!add(stack.at(-1) as Open, text.slice(top.start, index + 1))) return { ok: false };
    } else if (token === ':') {
      top.key = top.members.pop();
    } else if (token !== ',' && !add(top, scalarText(token))) {
      return { ok: false };
    }
  }
  return { ok: true, value, properties };
}

/** @returns false if the member is a property that already has another value */
function add(open: Open, member: string): boolean {
  const { key } = open;
  if (key === undefined) return open.members.push(member) > 0;
  open.key = undefined;
  const name: string = JSON.parse(key);
  const before = open.properties.get(name);
  if (before !== undefined && before !== member) return false;
  open.properties.set(name, member);
  return true;
}

function scalarText(token: string): string {
  if (token.startsWith('"')) return JSON.stringify(JSON.parse(token));
  return /^[-\d]/.test(token) ? `#${token}` : token;
}
