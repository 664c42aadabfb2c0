import { createHash } from 'node:crypto';
import { type AttributeValue, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { attributeValue } from './stored-item.ts';

/** The parameters of a put that the store reads, in DynamoDB's JSON. */
interface Put {
  readonly Item: { readonly id: { readonly N: string } } & Readonly<Record<string, AttributeValue>>;
  readonly ConditionExpression: string;
}

/** A store in place of the SDK's request handler, so that it receives what the SDK would send. */
export interface StoreInMemory {
  readonly client: DynamoDBClient;
  /** The {@link fingerprint} of the item under each id; whole items would fill the memory. */
  readonly items: ReadonlyMap<string, string>;
}

const utf8 = new TextDecoder();

/** A digest of an item's properties without the id. */
export function fingerprint(properties: object): string {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined);
  return createHash('sha1').update(JSON.stringify(given.sort())).digest('base64');
}

/**
 * Makes a store with one access token. It supports only the service's own condition of a put, so a sample of the requests
 * must also be sent to a real store.
 * @param digest of the token, which is valid until the year 3000
 */
export function storeInMemory(digest: string): StoreInMemory {
  const items = new Map<string, string>();
  const operations = {
    GetItem: ({ Key }: { Key: { digest: { S: string } } }) =>
      Key.digest.S === digest ? { Item: { name: { S: 'fuzz' }, expires: { N: '32503680000' } } } : {},
    PutItem: ({ Item: { id, ...attributes }, ConditionExpression }: Put) => {
      if (!/^attribute_not_exists\(#id\) OR \(#name = :name AND /.test(ConditionExpression))
        return refusal('ValidationException');
      const before = items.get(id.N);
      const properties = Object.entries(attributes).map(([name, attribute]) => [
        name,
        attributeValue(attribute),
      ]);
      const print = fingerprint(Object.fromEntries(properties));
      if (before !== undefined && before !== print) return refusal('ConditionalCheckFailedException');
      items.set(id.N, print);
      return before === undefined ? {} : { Attributes: { id } };
    },
  };
  const handle = async ({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) => {
    const operation = headers['x-amz-target']?.split('.')[1] as keyof typeof operations;
    const response: object = operations[operation](JSON.parse(utf8.decode(body)));
    const statusCode = '__type' in response ? 400 : 200;
    const sent = { 'content-type': 'application/x-amz-json-1.0' };
    return { response: { statusCode, headers: sent, body: Buffer.from(JSON.stringify(response)) } };
  };
  const requestHandler = { handle } as unknown as DynamoDBClientConfig['requestHandler'];
  return { client: new DynamoDBClient({ requestHandler }), items };
}

function refusal(type: string): object {
  return { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'as AWS says it' };
}
