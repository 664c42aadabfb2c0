import type { NewPlant } from './plant.ts';
import { condition, PLANTS_TABLE, TOKENS_TABLE } from './store.ts';

/** The GetItem request in DynamoDB's own attribute values, for clients that do not translate. */
export function getTokenInput(digest: string) {
  return { TableName: TOKENS_TABLE, Key: { digest: { S: digest } }, ConsistentRead: true };
}

/** Reads an item of the tokens' table that comes in attribute values. */
export function tokenOf(
  item: Record<string, { S?: string | undefined; N?: string | undefined }> | undefined,
) {
  if (item?.name?.S === undefined || item.expires?.N === undefined) return undefined;
  return { name: item.name.S, expires: Number(item.expires.N) };
}

/** The PutItem request in DynamoDB's own attribute values. */
export function putPlantInput({ id, name, tag }: NewPlant) {
  const tagValue = tag === undefined ? undefined : { S: tag };
  return {
    TableName: PLANTS_TABLE,
    Item: { id: { N: String(id) }, name: { S: name }, ...(tagValue && { tag: tagValue }) },
    ExpressionAttributeValues: { ':name': { S: name }, ...(tagValue && { ':tag': tagValue }) },
    ...condition(tag !== undefined),
  };
}
