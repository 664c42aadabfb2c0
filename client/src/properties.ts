// `npm run generate` writes this file from NewPlant in contract/openapi.yaml.
import type { Doubles } from './json.ts';

/** A plant to create. */
export interface NewPlant {
  /**
   * Identification number of the plant, supplied by the caller. Use a 64-bit integer, or a bigint that your client
   * writes as a JSON number: a double, such as JavaScript's `number`, changes integers beyond 9007199254740991.
   * A `number` must be a safe integer.
   */
  readonly id: bigint | number;
  /** Name of the plant. */
  readonly name: string;
  /** Tag that specifies the type. Any string, also the empty one; absent if the plant has none. */
  readonly tag?: string | undefined;
}

/** A plant as the service has it: the values that were sent, so an integer is a `bigint` if it was sent as one. */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** The properties in the order in which they are sent, and what `typeof` says of them; also a list is an object. */
export const PROPERTIES = {
  id: { types: ['bigint', 'number'], required: true },
  name: { types: ['string'], required: true },
  tag: { types: ['string'], required: false },
} as const;

/** Where a plant has doubles. */
export const DOUBLES: Doubles = {};
