import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { bareHandler } from './shared/operation.ts';
import { attributesOf, getToken, type Item, putPlant, type Store, tokenOf } from './shared/store.ts';

const client = new DynamoDBClient();

const store: Store = {
  async readToken(digest) {
    const { Item } = await client.send(new GetItemCommand(getToken({ S: digest })));
    return tokenOf(Item as Item | undefined);
  },
  putPlant: (plant) => client.send(new PutItemCommand(putPlant(attributesOf(plant)))),
};

/** No framework, `@aws-sdk/client-dynamodb` with all its defaults. */
export const handler = bareHandler(store);
