import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { AccessTokens } from '../../lambda/access-tokens.ts';
import { createPlantHandler } from '../../lambda/create-plant.ts';
import { documentClient } from '../../lambda/document-client.ts';
import { LAMBDA_TIMEOUT_MS } from '../../lambda/limits.ts';
import { Plants } from '../../lambda/plants.ts';
import type { RequestLogLine } from '../../lambda/request-log.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';

process.env.AWS_REGION = 'local';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';

/** One running copy of the function, with nothing remembered from any other. */
export interface FunctionUnderTest {
  /** Runs it with the time that Lambda would give it. */
  invoke(event: unknown): Promise<APIGatewayProxyResult>;
  readonly lines: RequestLogLine[];
  end(): void;
}

/**
 * Starts the function with a client of its own.
 * @param endpoint where it finds its store
 */
export async function startFunction(endpoint: string): Promise<FunctionUnderTest> {
  const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  const lines: RequestLogLine[] = [];
  const handler = createPlantHandler({
    accessTokens: new AccessTokens(client, LOCAL_TABLES.accessTokens),
    plants: new Plants(client, LOCAL_TABLES.plants),
    writeLog: (line) => lines.push(line),
  });
  return {
    lines,
    invoke: (event) => handler(event as never, lambdaContext()),
    end: () => client.destroy(),
  };
}

/** What the runtime hands over, as far as the function looks at it: how much of its time is left. */
export function lambdaContext(): Context {
  const deadline = Date.now() + LAMBDA_TIMEOUT_MS;
  return { getRemainingTimeInMillis: () => deadline - Date.now() } as Context;
}
