import { confirms, exactJson } from './json.ts';

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
 * The properties in the order in which they are sent, and what `typeof` says of them; also a list is an object. The compiler holds the
 * list to {@link NewPlant}.
 */
const PROPERTIES = {
  id: { types: ['bigint', 'number'], required: true },
  name: { types: ['string'], required: true },
  tag: { types: ['string'], required: false },
} as const satisfies {
  readonly [Name in keyof NewPlant]-?: {
    readonly types: readonly ('string' | 'number' | 'bigint' | 'boolean' | 'object')[];
    readonly required: undefined extends NewPlant[Name] ? false : true;
  };
};

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
 * @throws RangeError if a number is no int64 or may have lost digits, or a string has a lone surrogate
 */
export function toSend(newPlant: NewPlant): Sent {
  if (typeof newPlant !== 'object' || newPlant === null) throw new TypeError('The plant must be an object.');
  const values: Record<string, unknown> = {};
  for (const [name, { types, required }] of Object.entries(PROPERTIES)) {
    const value = (newPlant as unknown as Record<string, unknown>)[name];
    if (value === undefined && !required) continue;
    checkType(name, value, types);
    values[name] = value;
  }
  const body = exactJson('plant', values);
  const { id: _, ...plant } = structuredClone(values);
  return { body, plant: plant as unknown as Plant };
}

function checkType(name: string, value: unknown, types: readonly string[]): void {
  const type = value === null ? 'null' : typeof value;
  if (!types.includes(type))
    throw new TypeError(`${name} must be of type ${types.join(' or ')}; it is ${type}.`);
  if (types.includes('bigint') && type === 'number' && !Number.isInteger(value))
    throw new RangeError(`${name} must be an integer; it is ${value}.`);
}

/** Whether a response has what was sent. A later version of the service may add properties. */
export function isSamePlant(content: object, sent: Sent): boolean {
  const { id: _, ...returned } = PROPERTIES;
  return Object.keys(returned).every((name) => confirms(Object(content)[name], Object(sent.plant)[name]));
}
