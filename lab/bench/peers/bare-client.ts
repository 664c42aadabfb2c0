import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { bareHandler } from './shared/operation.ts';
import { getTokenInput, isSame, putPlantInput, type Store, tokenOf } from './shared/store.ts';

const client = new DynamoDBClient();

const store: Store = {
  async readToken(digest) {
    const { Item } = await client.send(new GetItemCommand(getTokenInput(digest)));
    return tokenOf(Item as Parameters<typeof tokenOf>[0]);
  },
  async createPlant(plant) {
    try {
      await client.send(new PutItemCommand(putPlantInput(plant)));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return isSame(plant, error.Item);
      throw error;
    }
  },
};

/** No framework, `@aws-sdk/client-dynamodb` with all its defaults. */
export const handler = bareHandler(store);
