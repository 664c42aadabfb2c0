import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type NewPlant, PROPERTIES } from '../plant.ts';
import type { TypeName } from '../property-types/property-type.ts';

const LETTERS: Partial<Record<TypeName, string>> = { integer: 'N', string: 'S' };
/** DynamoDB's letter for the type of an id. */
const LETTER = String(LETTERS[PROPERTIES.id.type.schema.type]);

/** The key of a plant, in DynamoDB's own JSON: lib-dynamodb would not return the digits of a number. */
export function plantKey(id: NewPlant['id']): { id: AttributeValue } {
  return { id: { [LETTER]: String(id) } as unknown as AttributeValue };
}
