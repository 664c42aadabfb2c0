/** A plant to create. */
export interface NewPlant {
  /** An int64. A `number` must be a safe integer; larger values need a `bigint`. */
  readonly id: bigint | number;
  readonly name: string;
  readonly tag?: string | undefined;
}

/** A plant as the service returns it. */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/**
 * The properties but the id, in the order in which they are sent, each with the function that checks its value. The compiler
 * holds the list to {@link Plant}.
 */
const PROPERTIES = {
  name: { check: text, required: true },
  tag: { check: text, required: false },
} as const satisfies {
  readonly [Name in keyof Plant]-?: {
    readonly check: (property: string, value: unknown) => Exclude<Plant[Name], undefined>;
    readonly required: undefined extends Plant[Name] ? false : true;
  };
};
const NAMES = Object.keys(PROPERTIES) as (keyof Plant)[];

/** A plant as it is sent. */
export interface Sent {
  /** The request body with the exact id. `JSON.stringify` alone does not accept a `bigint`. */
  readonly body: string;
  /** The plant that the response must have. */
  readonly plant: Plant;
}

/**
 * Checks and copies a plant, which its owner may change while it is sent.
 * @throws TypeError if a property is missing or has another type
 * @throws RangeError if the id is not an int64 or may have lost digits, or a string has a lone surrogate
 */
export function toSend(newPlant: NewPlant): Sent {
  if (typeof newPlant !== 'object' || newPlant === null) throw new TypeError('The plant must be an object.');
  const idJson = digits(newPlant.id);
  const checked: Partial<Record<keyof Plant, unknown>> = {};
  for (const name of NAMES) {
    const value = newPlant[name];
    const { check, required } = PROPERTIES[name];
    if (value !== undefined || required) checked[name] = check(name, value);
  }
  const plant = checked as Plant;
  return { body: `{"id":${idJson},${JSON.stringify(plant).slice(1)}`, plant };
}

/** Whether the content of a response is this plant. A later version of the service may add properties. */
export function isSamePlant(content: Partial<Record<keyof Plant, unknown>>, plant: Plant): boolean {
  return NAMES.every((name) => content[name] === plant[name]);
}

function digits(id: unknown): string {
  if (typeof id === 'number') {
    if (!Number.isSafeInteger(id))
      throw new RangeError(
        `id must be an integer, and beyond ±9007199254740991 a bigint; it is the number ${id}.`,
      );
  } else if (typeof id !== 'bigint') {
    throw new TypeError(`id must be a bigint or a number; it is ${typeNameOf(id)}.`);
  } else if (id !== BigInt.asIntN(64, id)) {
    throw new RangeError(`id must be an int64: from -${1n << 63n} to ${(1n << 63n) - 1n}.`);
  }
  return String(id);
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
