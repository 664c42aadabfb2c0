import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { NewPlant } from '../plant.ts';
import { keyAttribute } from './key-attribute.ts';

/** The key of a plant. */
export function plantKey(id: NewPlant['id']): { id: AttributeValue } {
  return { id: keyAttribute('id', id) };
}
