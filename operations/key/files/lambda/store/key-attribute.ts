import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type PropertyName, typeOf } from '../plant.ts';
import type { TypeName } from '../property-types/property-type.ts';

/** DynamoDB's letters for the types that a key may have. */
const LETTERS: Partial<Record<TypeName, string>> = { integer: 'N', number: 'N', string: 'S' };

/** The value of a key, in DynamoDB's own JSON: lib-dynamodb would not return the digits of a number. */
export function keyAttribute(name: PropertyName, value: unknown): AttributeValue {
  const letter = String(LETTERS[typeOf(name).schema.type]);
  return { [letter]: String(value) } as unknown as AttributeValue;
}
