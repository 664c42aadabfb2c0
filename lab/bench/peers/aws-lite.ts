import awsLite from '@aws-lite/client';
// @ts-expect-error The plugin has no types.
import dynamodb from '@aws-lite/dynamodb';
import { bareHandler } from './shared/bare.ts';
import { condition, PLANTS_TABLE, type Store, TOKENS_TABLE } from './shared/store.ts';

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
  async createPlant({ id, name, tag }) {
    const { DynamoDB } = await client;
    try {
      await DynamoDB.PutItem({
        TableName: PLANTS_TABLE,
        Item: { id, name, ...(tag !== undefined && { tag }) },
        ExpressionAttributeValues: { ':name': name, ...(tag !== undefined && { ':tag': tag }) },
        ...condition(tag !== undefined),
      });
      return true;
    } catch (error) {
      if (String(error).includes('ConditionalCheckFailed')) return false;
      throw error;
    }
  },
};

/** No framework, aws-lite instead of the official SDK. */
export const handler = bareHandler(store);
