import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { jsonOf } from '../json.ts';
import { NEW_PLANT, type NewPlant } from '../plant.ts';

/**
 * Makes one attempt of a write that has a condition.
 * @returns undefined if it was written; otherwise the refusal, with the item for which the condition does not hold as `Item`
 */
export async function refusalOf(
  attempt: () => Promise<unknown>,
): Promise<ConditionalCheckFailedException | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    // Another status is a throttle or a failure, whatever the name says.
    if (error instanceof ConditionalCheckFailedException && error.$metadata.httpStatusCode === 400)
      return error;
    throw error;
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
