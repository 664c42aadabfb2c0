import { ENVIRONMENT } from './environment.ts';
import { ATTEMPT_MS, STORE_BUDGET_RESERVE_MS } from './limits.ts';
import { makeHandler } from './middleware.ts';
import { operations } from './operations.ts';
import { ROUTES } from './routes.ts';
import { documentClient } from './store/store.ts';
import { formatToken } from './store/token-format.ts';

const client = documentClient();

/** The entry point for the Lambda runtime. */
export const handler = makeHandler(operations(client), {
  writeLog: (line) => console.info(line),
  // Empty: none, as where the variable was emptied by hand.
  allowedOrigins: process.env[ENVIRONMENT.allowedOrigins]?.split(' ').filter(Boolean),
  version: process.env[ENVIRONMENT.functionVersion],
  traceHeader: () => process.env[ENVIRONMENT.traceHeader],
});

/**
 * Connects to DynamoDB before the first request, by a request with a token that was never issued. It is given the time of one
 * attempt, has no line in the log, and shares no token cache with {@link handler}. Whatever the store does, it ends well.
 */
export async function connect(): Promise<void> {
  const { method: httpMethod, path } = ROUTES.createPlant;
  const headers = { authorization: `Bearer ${formatToken(new Uint8Array(32))}` };
  const unlogged = makeHandler(operations(client), { writeLog: () => undefined });
  const getRemainingTimeInMillis = () => ATTEMPT_MS + STORE_BUDGET_RESERVE_MS;
  await unlogged({ httpMethod, path, headers }, { getRemainingTimeInMillis });
}
