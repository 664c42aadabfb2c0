import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Failure } from '../errors.ts';
import type { Json } from '../json.ts';

/** The types of JSON Schema that a property may have. The compiler finds each table by type that lacks one. */
export type TypeName = 'integer' | 'number' | 'string' | 'boolean' | 'array' | 'object';

/** Where a value stands in a body. */
interface Place {
  /** The name of a property, or a path, such as `stops[1].city`; empty for the plant. */
  readonly path: string;
  /** Whether it may be left out: a property that is not required. */
  readonly isOptional?: boolean;
}

/** How the function reads the values of one type; json.ts writes those of all. */
export interface PropertyType<Value> {
  /** What openapi.yaml says of a property, but for its description and examples. */
  readonly schema: { readonly type: TypeName } & Readonly<Record<string, unknown>>;
  /** What a value must be, for the message about a missing property: at most about 100 characters. */
  readonly mustBe: string;
  /**
   * Reads a value that was sent.
   * @throws Failure 40002 whose message names the property and what it must be
   */
  read(value: Json, place: Place): Value;
  /**
   * Reads a value from an attribute of an item, in DynamoDB's own JSON: there a number is its digits. lib-dynamodb would make a
   * double of it, and change an int64.
   * @returns undefined if the attribute is absent or has no value of this type, as if somebody edited the item; limits are not
   * checked, because an earlier version may have had others
   */
  decode(attribute: AttributeValue | undefined): Value | undefined;
}

/** The failure of a value that is not what it must be. An optional one can also be left out; libraries often send `null`. */
export function wrong({ path, isOptional }: Place, mustBe: string): Failure {
  const message = `${path} must be ${mustBe}${isOptional ? ', or be left out' : ''}.`;
  return new Failure('INVALID_PLANT', { message });
}
