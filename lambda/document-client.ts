import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { BufferingHttpHandler } from './buffering-http-handler.ts';
import { ENVIRONMENT } from './environment.ts';

/**
 * The client that the function talks to DynamoDB with: the Region's endpoint, or the one that the environment names.
 * It makes one attempt at a time; `callStore` decides about another.
 */
export function documentClient(environment: NodeJS.ProcessEnv = process.env): DynamoDBDocumentClient {
  const endpoint = environment[ENVIRONMENT.endpoint];
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({
      ...(endpoint ? { endpoint } : {}),
      maxAttempts: 1,
      requestHandler: new BufferingHttpHandler(),
    }),
  );
}
