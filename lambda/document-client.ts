import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RetryStrategy } from '@smithy/types';
import { BufferingHttpHandler } from './buffering-http-handler.ts';
import { ENVIRONMENT } from './environment.ts';

/**
 * Hands on each attempt's own error. The SDK's strategies would put an AbortError in its place at the deadline, and
 * with it lose the knowledge of whether anything was sent.
 */
const ONE_ATTEMPT: RetryStrategy = { retry: (next, args) => next(args) };

/**
 * Steps of the SDK that nobody here needs: there is no logger, DynamoDB never calls the function back, and who called is
 * told by the role, not by a User-Agent, which would be a tenth of a warm request's work.
 */
const UNUSED_MIDDLEWARE = ['loggerMiddleware', 'recursionDetectionMiddleware', 'getUserAgentMiddleware'];

/**
 * The client that the function talks to DynamoDB with: the Region's endpoint, or the one that the environment names.
 * It makes one attempt at a time; `callStore` decides about another.
 */
export function documentClient(environment: NodeJS.ProcessEnv = process.env): DynamoDBDocumentClient {
  const endpoint = environment[ENVIRONMENT.endpoint];
  const client = new DynamoDBClient({
    ...(endpoint ? { endpoint } : {}),
    // The type asks for two methods more, which only the SDK's runtime extensions call.
    requestHandler: new BufferingHttpHandler() as unknown as DynamoDBClientConfig['requestHandler'],
    retryStrategy: ONE_ATTEMPT,
  });
  signOnce(client);
  for (const name of UNUSED_MIDDLEWARE) client.middlewareStack.remove(name);
  return DynamoDBDocumentClient.from(client);
}

/**
 * Lets the SDK make its signer once: left alone, it makes one out of the whole configuration for each request. Region and
 * credentials do not change while a Lambda process lives.
 */
function signOnce({ config }: DynamoDBClient): void {
  const makeSigner = config.signer;
  let signer: ReturnType<typeof makeSigner> | undefined;
  config.signer = (scheme) => {
    signer ??= makeSigner(scheme);
    return signer;
  };
}
