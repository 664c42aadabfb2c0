/**
 * Hand-written replacements for the parts of the AWS SDK that ours uses. Bundled instead of the SDK, they give the lower
 * limit for ours: the difference is the cost of the official SDK.
 */
import { HOST, headersFor } from './signature-by-hand.ts';

type Item = Record<string, unknown>;
type Wire = Record<string, Record<string, string>>;
interface Handler {
  handle(request: object, options: object): Promise<{ response: { statusCode: number; body: Buffer } }>;
}

/** An error in a response of the store. */
export class DynamoDBServiceException extends Error {
  readonly $metadata: { httpStatusCode: number };

  constructor(name: string, status: number) {
    super(name);
    this.name = name;
    this.$metadata = { httpStatusCode: status };
  }
}

/** The id belongs to a different item. */
export class ConditionalCheckFailedException extends DynamoDBServiceException {}

/** Whether an error is a throttle. */
export function isThrottlingError({ name }: Error): boolean {
  return /Throttling|Throughput|LimitExceeded|TooManyRequests/.test(name);
}

class Command {
  readonly input: Item;
  readonly middlewareStack = { addRelativeTo: () => undefined };

  constructor(input: Item) {
    this.input = input;
  }
}

/** GetItem with plain values. */
export class GetCommand extends Command {
  readonly operation = 'GetItem';
}

/** PutItem with plain values. */
export class PutCommand extends Command {
  readonly operation = 'PutItem';
}

/** Carries the request handler to the document client, as the SDK's client does. */
export class DynamoDBClient {
  readonly requestHandler: Handler;
  /** Parts of the SDK's client that ours configures; here they do nothing. */
  readonly config = { signer: () => Promise.resolve({}) };
  readonly middlewareStack = { remove: () => true };

  constructor({ requestHandler }: { requestHandler: Handler }) {
    this.requestHandler = requestHandler;
  }
}

/** Translates, signs and sends; string, number and bigint attributes only. */
export class DynamoDBDocumentClient {
  readonly #handler: Handler;

  constructor(handler: Handler) {
    this.#handler = handler;
  }

  static from({ requestHandler }: DynamoDBClient): DynamoDBDocumentClient {
    return new DynamoDBDocumentClient(requestHandler);
  }

  async send({ operation, input }: GetCommand | PutCommand, options: object): Promise<Item> {
    const body = JSON.stringify(translated(input));
    const headers = headersFor(`DynamoDB_20120810.${operation}`, body);
    const request = { protocol: 'https:', hostname: HOST, method: 'POST', path: '/', headers, body };
    const { response } = await this.#handler.handle(request, options);
    const output = JSON.parse(response.body.toString());
    if (response.statusCode !== 200) throw failure(String(output.__type), response.statusCode);
    return { ...output, Item: output.Item && plain(output.Item) };
  }
}

function failure(type: string, status: number): DynamoDBServiceException {
  const name = type.replace(/^.*#/, '');
  const Failure = name.startsWith('Conditional') ? ConditionalCheckFailedException : DynamoDBServiceException;
  return new Failure(name, status);
}

function translated(input: Item): Item {
  const wire = (item: unknown) =>
    item && Object.fromEntries(Object.entries(item as Item).map(([name, value]) => [name, attribute(value)]));
  const { Item: item, Key: key, ExpressionAttributeValues: values } = input;
  return { ...input, Item: wire(item), Key: wire(key), ExpressionAttributeValues: wire(values) };
}

function attribute(value: unknown): Record<string, string> {
  return typeof value === 'string' ? { S: value } : { N: String(value) };
}

function plain(item: Wire): Item {
  return Object.fromEntries(Object.entries(item).map(([name, { S, N }]) => [name, S ?? Number(N)]));
}
