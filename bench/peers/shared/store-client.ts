import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Store } from './store.ts';
import { getTokenInput, putPlantInput, tokenOf } from './wire-items.ts';

const client = new DynamoDBClient();

/** DynamoDB by the official low-level client, with all its defaults. */
export const store: Store = {
  async readToken(digest) {
    const { Item } = await client.send(new GetItemCommand(getTokenInput(digest)));
    return tokenOf(Item as Parameters<typeof tokenOf>[0]);
  },
  async createPlant(plant) {
    try {
      await client.send(new PutItemCommand(putPlantInput(plant)));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  },
};
