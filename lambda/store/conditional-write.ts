import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { jsonOf } from '../json.ts';
import { NEW_PLANT, type NewPlant, typeOf } from '../plant.ts';
import { ConnectionError } from './buffering-http-handler.ts';

/**
 * Makes one attempt of a write that has a condition.
 * @param id that of the item which the write is for
 * @returns undefined if it was written; otherwise the refusal, with the item for which the condition does not hold as `Item`
 * @throws ConnectionError if the refusal has another item
 */
export async function refusalOf(
  id: NewPlant['id'],
  attempt: () => Promise<unknown>,
): Promise<ConditionalCheckFailedException | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    // Another status is a throttle or a failure, whatever the name says.
    if (!(error instanceof ConditionalCheckFailedException) || error.$metadata.httpStatusCode !== 400)
      throw error;
    if (error.Item && typeOf('id').decode(error.Item.id) !== id)
      throw new ConnectionError('damaged response', true, error);
    return error;
  }
}

/**
 * Compares the properties that this version knows, by value: a newer one, live at the same time, may have stored more.
 * @param item in DynamoDB's own JSON
 */
export function isStoredAs(item: Readonly<Record<string, AttributeValue>>, plant: NewPlant): boolean {
  const stored = NEW_PLANT.decode({ M: item });
  return stored !== undefined && jsonOf(stored) === jsonOf(plant);
}
