/** Checks that a value can be sent unchanged, and copies it. Limits are checked by the service, which a newer version may change. */
export type Check<Value> = (property: string, value: unknown) => Value;

/** An int64. */
export function integer(property: string, value: unknown): bigint | number {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value))
      throw new RangeError(
        `${property} must be an integer, and beyond ±9007199254740991 a bigint; it is the number ${value}.`,
      );
  } else if (typeof value !== 'bigint') {
    throw wrongType(property, 'a bigint or a number', value);
  } else if (value !== BigInt.asIntN(64, value)) {
    throw new RangeError(`${property} must be an int64: from -${1n << 63n} to ${(1n << 63n) - 1n}.`);
  }
  return value;
}

/** A number with decimal places. */
export function decimal(property: string, value: unknown): number {
  if (typeof value !== 'number') throw wrongType(property, 'a number', value);
  if (!Number.isFinite(value)) throw new RangeError(`${property} must be a finite number; it is ${value}.`);
  return value;
}

/** A text, or a date-time. */
export function text(property: string, value: unknown): string {
  if (typeof value !== 'string') throw wrongType(property, 'a string', value);
  // A lone surrogate. Not isWellFormed(), which some supported browsers lack.
  if (/\p{Surrogate}/u.test(value))
    throw new RangeError(`${property} has half of a surrogate pair, which UTF-8 cannot encode.`);
  return value;
}

/** One of some texts. */
export function choice<const Value extends string>(...values: readonly Value[]): Check<Value> {
  return (property, value) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw new TypeError(`${property} must be one of ${JSON.stringify(values)}.`);
    return found;
  };
}

export function boolean(property: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw wrongType(property, 'true or false', value);
  return value;
}

/** A list of values that pass one check. */
export function list<Value>(check: Check<Value>): Check<readonly Value[]> {
  return (property, value) => {
    if (!Array.isArray(value)) throw wrongType(property, 'an array', value);
    // Not `map`, which leaves out the holes of an array.
    return Array.from(value, (each, index) => check(`${property}[${index}]`, each));
  };
}

/** The properties of an object, in the order in which they are sent. */
export interface Members {
  readonly [name: string]: { readonly check: Check<unknown>; readonly required: boolean };
}
type ValueOf<Member> = Member extends { readonly check: Check<infer Value> } ? Value : never;
/** The object that has these properties. */
type ObjectOf<M extends Members> = {
  readonly [Name in keyof M as M[Name]['required'] extends true ? Name : never]: ValueOf<M[Name]>;
} & {
  readonly [Name in keyof M as M[Name]['required'] extends true ? never : Name]?: ValueOf<M[Name]>;
};

/** An object with these properties; others are not sent. */
export function object<const M extends Members>(members: M): Check<ObjectOf<M>> {
  return (property, value) => {
    if (typeof value !== 'object' || value === null) throw wrongType(property, 'an object', value);
    return checkedMembers(members, value, `${property}.`) as ObjectOf<M>;
  };
}

/** Checks and copies the properties of an object. @param path what stands before their names in a message */
export function checkedMembers(members: Members, value: object, path = ''): Record<string, unknown> {
  const values = Object.entries(members).map(([name, { check, required }]) => {
    const each = (value as Record<string, unknown>)[name];
    return [name, each === undefined && !required ? undefined : check(`${path}${name}`, each)] as const;
  });
  return Object.fromEntries(values.filter(([, each]) => each !== undefined));
}

function wrongType(property: string, mustBe: string, value: unknown): TypeError {
  return new TypeError(`${property} must be ${mustBe}; it is ${value === null ? 'null' : typeof value}.`);
}
