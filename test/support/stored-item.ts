import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { idIn, keyOf } from '../../commands/shared/plant-key.ts';
import { LEAST, type Plant } from '../../contract/examples.ts';
import { idOf } from '../../contract/key.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';

/** An item of the table of plants. */
export interface StoredItem extends Plant {
  readonly id: string;
}

/** Puts an item into the table of plants, in DynamoDB's own JSON: also one that the function would not store. */
export async function putItem(client: DynamoDBClient, item: Record<string, AttributeValue>): Promise<void> {
  await client.send(new PutItemCommand({ TableName: LOCAL_TABLES.plants, Item: item }));
}

/** Reads an item in DynamoDB's own JSON, so that a number keeps the digits that are in the table. */
export async function storedItem(client: DynamoDBClient, id: string): Promise<StoredItem | undefined> {
  const get = new GetItemCommand({
    TableName: LOCAL_TABLES.plants,
    Key: keyOf(idOf(id)),
    ConsistentRead: true,
  });
  const { Item: item } = await client.send(get).catch((error: Error) => {
    // No number in DynamoDB has more than 38 digits, so there is no such item either.
    if (error.name === 'ValidationException') return { Item: undefined };
    throw error;
  });
  // By its number, for which tests ask.
  return item && { ...plantOf(item), id: idIn(item) === idOf(id) ? id : String(idIn(item)) };
}

/** Reads the whole table of plants, by id. */
export async function storedItems(client: DynamoDBClient): Promise<ReadonlyMap<string, StoredItem>> {
  const items = new Map<string, StoredItem>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName: LOCAL_TABLES.plants }))
    for (const item of Items) items.set(idIn(item) ?? '', plantOf(item));
  return items;
}

/** The plant of an item. */
function plantOf({ id, ...others }: Record<string, AttributeValue>): StoredItem {
  return { id: idIn({ id } as never) ?? '', ...unmarshall(others, { wrapNumbers: Number }) };
}

/** The item of a plant, in DynamoDB's own JSON. */
export function itemOf(id: string, plant = LEAST): Record<string, AttributeValue> {
  // As the function does, also an object with a property called `constructor`.
  return { ...keyOf(idOf(id)), ...marshall(plant, { convertClassInstanceToMap: true }) };
}
