import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import type { Plant } from '../../contract/examples.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';

/** An item of the table of plants. */
export interface StoredItem extends Plant {
  readonly id: string;
}

/** Reads an item in DynamoDB's own JSON, so that a number keeps the digits that are in the table. */
export async function storedItem(client: DynamoDBClient, id: string): Promise<StoredItem | undefined> {
  const get = new GetItemCommand({
    TableName: LOCAL_TABLES.plants,
    Key: { id: { N: id } },
    ConsistentRead: true,
  });
  const { Item: item } = await client.send(get).catch((error: Error) => {
    // No number in DynamoDB has more than 38 digits, so there is no such item either.
    if (error.name === 'ValidationException') return { Item: undefined };
    throw error;
  });
  return item && itemOf(item);
}

/** Reads the whole table of plants, by id. */
export async function storedItems(client: DynamoDBClient): Promise<ReadonlyMap<string, StoredItem>> {
  const items = new Map<string, StoredItem>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName: LOCAL_TABLES.plants }))
    for (const item of Items) items.set(item.id?.N ?? '', itemOf(item));
  return items;
}

function itemOf({ id, ...others }: Record<string, AttributeValue>): StoredItem {
  const properties = Object.entries(others).map(([name, attribute]) => [name, attributeValue(attribute)]);
  return { id: id?.N ?? '', ...Object.fromEntries(properties) };
}

/** The value of a property other than the id. @throws Error if the attribute is neither a text nor a number */
export function attributeValue({ S: text, N: number }: AttributeValue): string | number {
  if (text === undefined && number === undefined)
    throw new Error('An attribute is neither a text nor a number.');
  return text ?? Number(number);
}
