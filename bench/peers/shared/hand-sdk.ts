/**
 * Hand-written replacements of the parts of the AWS SDK that ours uses. Bundled instead of the SDK, they make the lower
 * limit for ours: the difference is the cost of the official SDK.
 */
import { HOST, headersFor } from './signature-by-hand.ts';

interface Handler {
  handle(request: object, options: object): Promise<{ response: { statusCode: number; body: Buffer } }>;
}

/** An error in an answer of the store. */
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
  readonly input: object;

  constructor(input: object) {
    this.input = input;
  }
}

/** GetItem, in DynamoDB's JSON. */
export class GetItemCommand extends Command {
  readonly operation = 'GetItem';
}

/** PutItem, in DynamoDB's JSON. */
export class PutItemCommand extends Command {
  readonly operation = 'PutItem';
}

/** Signs and sends. */
export class DynamoDBClient {
  readonly #handler: Handler;
  /** Parts of the SDK's client that ours configures; here they do nothing. */
  readonly config = { signer: () => Promise.resolve({}) };
  readonly middlewareStack = { remove: () => true };

  constructor({ requestHandler }: { requestHandler: Handler }) {
    this.#handler = requestHandler;
  }

  async send({ operation, input }: GetItemCommand | PutItemCommand, options: object): Promise<object> {
    const body = JSON.stringify(input);
    const headers = headersFor(`DynamoDB_20120810.${operation}`, body);
    const request = { protocol: 'https:', hostname: HOST, method: 'POST', path: '/', headers, body };
    const { response } = await this.#handler.handle(request, options);
    const answer = JSON.parse(response.body.toString());
    if (response.statusCode !== 200) throw failure(String(answer.__type), response.statusCode);
    return answer;
  }
}

function failure(type: string, status: number): DynamoDBServiceException {
  const name = type.replace(/^.*#/, '');
  const Failure = name.startsWith('Conditional') ? ConditionalCheckFailedException : DynamoDBServiceException;
  return new Failure(name, status);
}
