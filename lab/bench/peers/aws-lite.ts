import awsLite from '@aws-lite/client';
// @ts-expect-error The plugin has no types.
import dynamodb from '@aws-lite/dynamodb';
import { bareHandler } from './shared/operation.ts';
import { CONDITION, isSame, PLANTS_TABLE, type Store, TOKENS_TABLE } from './shared/store.ts';

/** The two methods that are used; the types would be another package. */
interface DynamoDb {
  GetItem(input: object): Promise<{ Item?: { name: string; expires: number } }>;
  PutItem(input: object): Promise<unknown>;
}

const client = awsLite({ region: process.env.AWS_REGION ?? '', plugins: [dynamodb] }) as unknown as Promise<{
  DynamoDB: DynamoDb;
}>;

const store: Store = {
  async readToken(digest) {
    const { DynamoDB } = await client;
    const input = { TableName: TOKENS_TABLE, Key: { digest }, ConsistentRead: true };
    return (await DynamoDB.GetItem(input)).Item;
  },
  async createPlant(plant) {
    const { DynamoDB } = await client;
    const { id, name, tag } = plant;
    const Item = { id, name, ...(tag !== undefined && { tag }) };
    try {
      await DynamoDB.PutItem({ TableName: PLANTS_TABLE, Item, ...CONDITION });
      return true;
    } catch (error) {
      if (String(error).includes('ConditionalCheckFailed'))
        return isSame(plant, (error as { Item?: unknown }).Item);
      throw error;
    }
  },
};

/** No framework, aws-lite instead of the official SDK. */
export const handler = bareHandler(store);
