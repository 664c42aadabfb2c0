/** A plant from JSON.parse: its id is a double, so ids beyond 2^53 lose digits. */
export interface NewPlant {
  readonly id: number;
  readonly name: string;
  readonly tag?: string;
}

/** The two calls that every peer makes, with its own client. */
export interface Store {
  /** Reads one item of the table of access tokens. */
  readToken(digest: string): Promise<{ readonly expires: number } | undefined>;
  /** Stores a plant if its id is free. @throws "ConditionalCheckFailed" with the item that has the id, as `Item` */
  putPlant(plant: NewPlant): Promise<unknown>;
}

/** An item in DynamoDB's attribute values. */
export type Item = Record<string, { S?: string | undefined; N?: string | undefined }>;

/** The GetItem request. @param digest as the client takes it */
export function getToken<Digest>(digest: Digest) {
  return { TableName: process.env.ACCESS_TOKENS_TABLE ?? '', Key: { digest }, ConsistentRead: true };
}

/** The PutItem request, with the same condition as ours. @param item as the client takes it */
export function putPlant<Values>(item: Values) {
  return {
    TableName: process.env.PLANTS_TABLE ?? '',
    Item: item,
    ConditionExpression: 'attribute_not_exists(#id)',
    ExpressionAttributeNames: { '#id': 'id' },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

/** A plant in attribute values, for clients that do not convert it. */
export function attributesOf({ id, name, tag }: NewPlant) {
  return { id: { N: String(id) }, name: { S: name }, ...(tag !== undefined && { tag: { S: tag } }) };
}

/** Reads an item of the table of access tokens from attribute values. */
export function tokenOf(item: Item | undefined) {
  return item?.expires?.N === undefined ? undefined : { expires: Number(item.expires.N) };
}

/** Whether the item that has the id is the same plant. */
export function isSame({ name, tag }: NewPlant, stored: Item | undefined): boolean {
  return stored?.name?.S === name && stored.tag?.S === tag;
}
