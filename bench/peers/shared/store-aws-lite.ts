import awsLite from '@aws-lite/client';
// @ts-expect-error The plugin brings no types.
import dynamodb from '@aws-lite/dynamodb';
import { condition, PLANTS_TABLE, type Store, TOKENS_TABLE } from './store.ts';

/** The two methods that are used; the package's own types are one more to install. */
interface DynamoDb {
  GetItem(input: object): Promise<{ Item?: { name: string; expires: number } }>;
  PutItem(input: object): Promise<unknown>;
}

const client = awsLite({ region: process.env.AWS_REGION ?? '', plugins: [dynamodb] }) as unknown as Promise<{
  DynamoDB: DynamoDb;
}>;

/** DynamoDB by aws-lite. */
export const store: Store = {
  async readToken(digest) {
    const aws = await client;
    const { Item } = await aws.DynamoDB.GetItem({
      TableName: TOKENS_TABLE,
      Key: { digest },
      ConsistentRead: true,
    });
    return Item;
  },
  async createPlant({ id, name, tag }) {
    const aws = await client;
    try {
      await aws.DynamoDB.PutItem({
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
