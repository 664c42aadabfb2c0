import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ENVIRONMENT } from './environment.ts';
import { ATTEMPT_MS, STORE_BUDGET_RESERVE_MS } from './limits.ts';
import { makeHandler } from './middleware.ts';
import { operations } from './operations.ts';
import { ROUTES } from './routes.ts';
import type { AcceptMore } from './tokens/access-token-table.ts';
import { formatToken } from './tokens/token-format.ts';

/** Connects to what the first request needs. */
export type Connect = (client: DynamoDBDocumentClient) => Promise<void>;

/**
 * Makes a service from an environment. Two of one process share only the console.
 * @param environment the variables of {@link ENVIRONMENT}, which are read now; only the tracing header is read for each request
 * @param client of its store
 * @param accepted what accepts more tokens than those of the table
 * @param connected what else connects before the first request; its failure has no effect
 * @throws Error naming a variable that is required and not set
 */
export function makeService(
  environment: NodeJS.ProcessEnv,
  client: DynamoDBDocumentClient,
  accepted: readonly AcceptMore[],
  connected: readonly Connect[] = [],
) {
  const newOperations = () => operations(environment, client, accepted);
  const handler = makeHandler(newOperations(), {
    // At the level ERROR, filters by level and CloudWatch's detection of anomalies see the service's own failures.
    writeLog: (line) => (line.outcome === 'failed' ? console.error(line) : console.info(line)),
    // Empty: none, as where the variable was emptied by hand.
    allowedOrigins: environment[ENVIRONMENT.allowedOrigins]?.split(' ').filter(Boolean),
    version: environment[ENVIRONMENT.functionVersion],
    traceHeader: () => environment[ENVIRONMENT.traceHeader],
  });

  /**
   * Connects to DynamoDB before the first request, by a request with a token that was never issued. It is given the time of one
   * attempt, has no line in the log, and shares no token cache with the handler. Whatever the store does, it ends well.
   */
  const connect = async (): Promise<void> => {
    const { method: httpMethod, path } = ROUTES.createPlant;
    const headers = { authorization: `Bearer ${formatToken(new Uint8Array(32))}` };
    const unlogged = makeHandler(newOperations(), { writeLog: () => undefined });
    const getRemainingTimeInMillis = () => ATTEMPT_MS + STORE_BUDGET_RESERVE_MS;
    const request = unlogged({ httpMethod, path, headers }, { getRemainingTimeInMillis });
    await Promise.allSettled([request, ...connected.map((each) => each(client))]);
  };

  return { handler, connect };
}
