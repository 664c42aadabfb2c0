import awsLite from '@aws-lite/client';
// @ts-expect-error The plugin has no types.
import dynamodb from '@aws-lite/dynamodb';
import { bareHandler } from './shared/operation.ts';
import { getToken, putPlant, type Store } from './shared/store.ts';

/** The two methods that are used; the types would be another package. */
interface DynamoDb {
  GetItem(input: object): Promise<{ Item?: { expires: number } }>;
  PutItem(input: object): Promise<unknown>;
}

const client = awsLite({ region: process.env.AWS_REGION ?? '', plugins: [dynamodb] }) as unknown as Promise<{
  DynamoDB: DynamoDb;
}>;

const store: Store = {
  readToken: async (digest) => (await (await client).DynamoDB.GetItem(getToken(digest))).Item,
  putPlant: async (plant) => (await client).DynamoDB.PutItem(putPlant(plant)),
};

/** No framework, aws-lite instead of the official SDK. */
export const handler = bareHandler(store);
