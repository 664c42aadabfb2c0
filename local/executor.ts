import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Handler } from '../lambda/middleware.ts';
import { invoke } from './lambda-runtime.ts';

/**
 * The most requests in the function at once, and so the most connections to the store: a request makes one call at a
 * time. The same as the concurrency of a new account. More are hardly faster, and come nearer to the calls' time limits.
 */
const EXECUTIONS = 10;

/**
 * Makes a function that invokes the handler as soon as an execution is free, first come, first served. As in Lambda, where an
 * execution environment serves one request at a time, the time limits begin only then.
 * @returns rejects with what the handler throws; skips a request whose client has gone away while it waited
 */
export function executor(handler: Handler) {
  const waiting: (() => void)[] = [];
  let free = EXECUTIONS;
  return async (
    event: APIGatewayProxyEvent,
    isGone: () => boolean,
  ): Promise<APIGatewayProxyResult | 'gone'> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return isGone() ? 'gone' : await invoke(handler, event);
    } finally {
      const next = waiting.shift() ?? (() => (free += 1));
      next();
    }
  };
}
