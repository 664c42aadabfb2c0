import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { getToken, putPlant, type Store } from './store.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());

/** DynamoDB through the official document client, with all its defaults. */
export const store: Store = {
  async readToken(digest) {
    const { Item } = await client.send(new GetCommand(getToken(digest)));
    return Item as { expires: number } | undefined;
  },
  putPlant: (plant) => client.send(new PutCommand(putPlant({ ...plant }))),
};
