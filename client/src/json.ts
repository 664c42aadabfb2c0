const LEAST_INT64 = -(2n ** 63n);
const LARGEST_INT64 = 2n ** 63n - 1n;

/** Where a value has doubles: it is one, or each of its items or entries has some, or the members of these names. */
export type Doubles = true | readonly [Doubles] | { readonly [name: string]: Doubles };

/**
 * The JSON text of a value with bigints, which `JSON.stringify` does not accept. Limits are checked by the service, which a newer
 * version may change.
 * @param property its name, or its path, such as `stops[1].city`
 * @param doubles where it has some; elsewhere a number may be an integer
 * @throws TypeError if JSON has no such value
 * @throws RangeError if the value would arrive changed
 */
export function exactJson(property: string, value: unknown, doubles?: Doubles): string {
  if (typeof value === 'bigint') return exactInteger(property, value);
  if (typeof value === 'number') return exactNumber(property, value, doubles === true);
  if (typeof value === 'string') return exactText(property, value);
  // Not `map`, which leaves out the holes of an array.
  if (Array.isArray(value))
    return `[${Array.from(value, (each, index) => exactJson(`${property}[${index}]`, each, within(doubles, index)))}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(
        ([name, each]) =>
          `${JSON.stringify(name)}:${exactJson(`${property}.${name}`, each, within(doubles, name))}`,
      )}}`;
  if (typeof value === 'boolean' || value === null) return String(value);
  throw new TypeError(`${property} must be a value of JSON; it is ${typeof value}.`);
}

function within(doubles: Doubles | undefined, name: string | number): Doubles | undefined {
  if (doubles === undefined || doubles === true) return undefined;
  if (Array.isArray(doubles)) return doubles[0];
  return Object.hasOwn(doubles, name) ? (doubles as Record<string, Doubles>)[name] : undefined;
}

/** Copies values that their owner may change. Only lists and objects can be changed, and `structuredClone` takes long. */
export function copyOf(values: Record<string, unknown>): Record<string, unknown> {
  const hasParts = Object.values(values).some((value) => typeof value === 'object');
  return hasParts ? structuredClone(values) : { ...values };
}

function exactInteger(property: string, value: bigint): string {
  if (value >= LEAST_INT64 && value <= LARGEST_INT64) return String(value);
  throw new RangeError(`${property} must be an int64: from ${LEAST_INT64} to ${LARGEST_INT64}.`);
}

function exactNumber(property: string, value: number, isDouble: boolean): string {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value)))
    return String(value);
  // With an exponent, as the service writes it.
  if (isDouble && Number.isFinite(value)) return value.toExponential();
  throw new RangeError(
    `${property} must be a finite number, and beyond ±9007199254740991 a bigint; it is the number ${value}.`,
  );
}

function exactText(property: string, value: string): string {
  // A lone surrogate. Not isWellFormed(), which some supported browsers lack.
  if (!/\p{Surrogate}/u.test(value)) return JSON.stringify(value);
  throw new RangeError(`${property} has half of a surrogate pair, which UTF-8 cannot encode.`);
}

/** A name with its colon, another text, or a number, in text that is JSON. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON like `JSON.parse`, but an integer that a `number` cannot hold becomes a `bigint`. Not by the source text that newer
 * engines give a reviver, because Node 20 and older browsers do not.
 * @throws SyntaxError if it is no JSON
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  // Each value that becomes a text says by its first character what it was.
  const marked = text.replace(TOKENS, (token: string, string?: string, colon?: string) => {
    if (string !== undefined) return colon === undefined ? `"s${string.slice(1)}` : token;
    return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"i${token}"` : token;
  });
  return JSON.parse(marked, (_, each) => (typeof each === 'string' ? unmarked(each) : each));
}

function unmarked(text: string): string | bigint {
  return text[0] === 'i' ? BigInt(text.slice(1)) : text.slice(1);
}

/**
 * Whether a received JSON value confirms the sent one, as {@link parseExact} reads it. The members of an object that only one of them has are ignored: a later
 * version of the service may have more, and what its type does not have is not stored.
 */
export function confirms(received: unknown, sent: unknown): boolean {
  if (typeof sent === 'bigint')
    return /^(number|bigint)$/.test(typeof received) && String(received) === String(sent);
  if (typeof sent !== 'object' || sent === null) return received === sent;
  if (typeof received !== 'object' || received === null) return false;
  const length = (value: object) => (Array.isArray(value) ? value.length : undefined);
  if (length(received) !== length(sent)) return false;
  return Object.entries(sent).every(
    ([name, each]) =>
      each === undefined || !Object.hasOwn(received, name) || confirms(Object(received)[name], each),
  );
}
