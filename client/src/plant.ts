/** A plant to create. */
export interface NewPlant {
  /** An int64. A `number` must be a safe integer; larger values need a `bigint`. */
  readonly id: bigint | number;
  readonly name: string;
  readonly tag?: string | undefined;
}

/** A plant as the service has it: the values that were sent, so an integer is a `bigint` if it was sent as one. */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/**
 * The properties in the order in which they are sent, each with the function that checks its value. The compiler holds the list to
 * {@link NewPlant} and {@link Plant}.
 */
const PROPERTIES = {
  id: { check: integer, required: true },
  name: { check: text, required: true },
  tag: { check: text, required: false },
} as const satisfies {
  readonly [Name in keyof NewPlant]-?: {
    readonly check: (property: string, value: unknown) => Exclude<(NewPlant & Plant)[Name], undefined>;
    readonly required: undefined extends NewPlant[Name] ? false : true;
  };
};
const NAMES = Object.keys(PROPERTIES) as (keyof NewPlant)[];

/** A plant as it is sent. */
export interface Sent {
  /** The request body with the exact id. `JSON.stringify` alone does not accept a `bigint`. */
  readonly body: string;
  /** What a 200 confirms. */
  readonly plant: Plant;
}

/**
 * Checks and copies a plant, which its owner may change while it is sent.
 * @throws TypeError if a property is missing or has another type
 * @throws RangeError if an integer is no int64 or may have lost digits, or a string has a lone surrogate
 */
export function toSend(newPlant: NewPlant): Sent {
  if (typeof newPlant !== 'object' || newPlant === null) throw new TypeError('The plant must be an object.');
  const names = NAMES.filter((name) => newPlant[name] !== undefined || PROPERTIES[name].required);
  const values = names.map((name) => [name, PROPERTIES[name].check(name, newPlant[name])] as const);
  const members = values.map(
    ([name, value]) => `"${name}":${typeof value === 'string' ? JSON.stringify(value) : value}`,
  );
  const { id: _, ...plant } = Object.fromEntries(values);
  return { body: `{${members.join()}}`, plant: plant as unknown as Plant };
}

/** Whether a response has what was sent, integers as doubles (`JSON.parse`). A later version of the service may add properties. */
export function isSamePlant(content: Partial<Record<keyof Plant, unknown>>, { body }: Sent): boolean {
  const sent = JSON.parse(body);
  return NAMES.every((name) => name === 'id' || content[name] === sent[name]);
}

function integer(property: string, value: unknown): bigint | number {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value))
      throw new RangeError(
        `${property} must be an integer, and beyond ±9007199254740991 a bigint; it is the number ${value}.`,
      );
  } else if (typeof value !== 'bigint') {
    throw new TypeError(`${property} must be a bigint or a number; it is ${typeNameOf(value)}.`);
  } else if (value !== BigInt.asIntN(64, value)) {
    throw new RangeError(`${property} must be an int64: from -${1n << 63n} to ${(1n << 63n) - 1n}.`);
  }
  return value;
}

function text(property: string, value: unknown): string {
  if (typeof value !== 'string')
    throw new TypeError(`${property} must be a string; it is ${typeNameOf(value)}.`);
  // A lone surrogate. Not isWellFormed(), which some supported browsers lack.
  if (/\p{Surrogate}/u.test(value))
    throw new RangeError(`${property} has half of a surrogate pair, which UTF-8 cannot encode.`);
  return value;
}

function typeNameOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
