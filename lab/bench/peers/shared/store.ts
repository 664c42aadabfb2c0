/** A plant from JSON.parse: its id is a double, so ids beyond 2^53 lose digits. */
export interface NewPlant {
  readonly id: number;
  readonly name: string;
  readonly tag?: string;
}

/** The two calls that every peer makes, with its own client. */
export interface Store {
  /** Reads one item of the table of access tokens. */
  readToken(digest: string): Promise<{ name: string; expires: number } | undefined>;
  /** Stores a plant under one condition. @returns false if the id belongs to a different plant */
  createPlant(plant: NewPlant): Promise<boolean>;
}

/** The names of the tables, from the same environment variables as ours. */
export const PLANTS_TABLE = process.env.PLANTS_TABLE ?? '';
/** See {@link PLANTS_TABLE}. */
export const TOKENS_TABLE = process.env.ACCESS_TOKENS_TABLE ?? '';

/** An item in DynamoDB's attribute values. */
export type Item = Record<string, { S?: string | undefined; N?: string | undefined }>;

/** The condition of a put, the same as ours. */
export const CONDITION = {
  ConditionExpression: 'attribute_not_exists(#id)',
  ExpressionAttributeNames: { '#id': 'id' },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
};

/** Whether the item that the condition refused is the same plant. */
export function isSame({ name, tag }: NewPlant, item: unknown): boolean {
  const stored = item as Item | undefined;
  return stored?.name?.S === name && stored.tag?.S === tag;
}

/** The GetItem request in DynamoDB's attribute values, for clients that do not convert them. */
export function getTokenInput(digest: string) {
  return { TableName: TOKENS_TABLE, Key: { digest: { S: digest } }, ConsistentRead: true };
}

/** Reads an item of the table of access tokens from attribute values. */
export function tokenOf(item: Item | undefined) {
  if (item?.name?.S === undefined || item.expires?.N === undefined) return undefined;
  return { name: item.name.S, expires: Number(item.expires.N) };
}

/** The PutItem request in DynamoDB's attribute values. */
export function putPlantInput({ id, name, tag }: NewPlant) {
  return {
    TableName: PLANTS_TABLE,
    Item: { id: { N: String(id) }, name: { S: name }, ...(tag !== undefined && { tag: { S: tag } }) },
    ...CONDITION,
  };
}
