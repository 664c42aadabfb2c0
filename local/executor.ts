import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Handler } from '../lambda/envelope.ts';
import { invoke } from './lambda-runtime.ts';
import { Places } from './places.ts';

/**
 * The most requests in the function at once, and so the most connections to the store: a request makes one call at a
 * time. The same as the concurrency of a new account. More are hardly faster, and come nearer to the calls' time limits.
 */
const EXECUTIONS = 10;

/** The most requests that may wait for the function; further ones are throttled. The same as the burst limit of prod. */
export const MOST_WAITING = 1_000;

/**
 * Makes a function that invokes the handler as soon as an execution is free. As in Lambda, where an execution environment
 * serves one request at a time, the others wait in front of the function, and its time limits begin when it gets them.
 * @returns rejects with what the handler throws; skips a request whose client has gone away while it waited
 */
export function executor(handler: Handler) {
  const executions = new Places(EXECUTIONS);
  return async (
    event: APIGatewayProxyEvent,
    isGone: () => boolean,
  ): Promise<APIGatewayProxyResult | 'throttled' | 'gone'> => {
    if (executions.countWaiting() >= MOST_WAITING) return 'throttled';
    const giveBack = await executions.take(isGone);
    if (!giveBack) return 'gone';
    try {
      return await invoke(handler, event);
    } finally {
      giveBack();
    }
  };
}
