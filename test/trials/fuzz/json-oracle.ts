/** How deep a body may nest (published in openapi.yaml, "The body"). */
const DEEPEST = 1_000;

/** What a JSON text says, or why it is none that the service takes. */
export type JsonVerdict =
  | { readonly ok: false }
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The properties of the outermost object; a number is `#` and its literal. */
      readonly properties: ReadonlyMap<string, string>;
    };

/** The tokens of a text that is known to be JSON: strings, punctuation, and the runs between. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;

/** An array or object that is being read: its members so far, strings in one spelling, anything else as it was written. */
interface Open {
  /** Where it starts in the text. */
  readonly start: number;
  readonly members: string[];
  readonly properties: Map<string, string>;
  key: string | undefined;
}

/**
 * Judges a text as JSON. Node's own parser says whether it is, and a stack machine over its tokens looks for what that parser
 * lets pass: properties given twice with different values, and nesting over 1,000 levels.
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

/** @returns false when the member is a property that was given another value before */
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
