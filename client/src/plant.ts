import { type Check, checkedMembers, integer, text } from './checks.ts';
import { hasAll, toJson } from './json.ts';

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
 * The properties in the order in which they are sent, each with its check of checks.ts. The compiler holds the list to
 * {@link NewPlant} and {@link Plant}.
 */
const PROPERTIES = {
  id: { check: integer, required: true },
  name: { check: text, required: true },
  tag: { check: text, required: false },
} as const satisfies {
  readonly [Name in keyof NewPlant]-?: {
    readonly check: Check<Exclude<(NewPlant & Plant)[Name], undefined>>;
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
  const values = checkedMembers(PROPERTIES, newPlant);
  const { id: _, ...plant } = values;
  return { body: toJson(values), plant: plant as unknown as Plant };
}

/** Whether a response has what was sent, integers as doubles (`JSON.parse`). A later version of the service may add properties. */
export function isSamePlant(content: object, { body }: Sent): boolean {
  const sent = JSON.parse(body);
  const { id: _, ...plant } = PROPERTIES;
  return Object.keys(plant).every((name) => hasAll(Object(content)[name], sent[name]));
}
