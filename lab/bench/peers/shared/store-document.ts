import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { CONDITION, isSame, PLANTS_TABLE, type Store, TOKENS_TABLE } from './store.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());

/** DynamoDB through the official document client, with all its defaults. */
export const store: Store = {
  async readToken(digest) {
    const get = new GetCommand({ TableName: TOKENS_TABLE, Key: { digest }, ConsistentRead: true });
    const { Item } = await client.send(get);
    return Item as { name: string; expires: number } | undefined;
  },
  async createPlant(plant) {
    const { id, name, tag } = plant;
    const Item = { id, name, ...(tag !== undefined && { tag }) };
    const put = new PutCommand({ TableName: PLANTS_TABLE, Item, ...CONDITION });
    try {
      await client.send(put);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return isSame(plant, error.Item);
      throw error;
    }
  },
};
