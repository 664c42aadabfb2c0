import middy from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { Failure } from './errors.ts';
import { EARLY_RESPONSE_RESERVE_MS } from './limits.ts';
import { startDeadline } from './request/deadline.ts';
import { failureFields, type LogResult, type LogSettings, requestLog } from './request/log.ts';
import { type Request, readRequest } from './request/request.ts';
import { isPreflight, preflightResponse, withCors } from './response/cors.ts';
import { errorResponse } from './response/responses.ts';

/** How an operation ended well. */
export interface Result {
  readonly outcome: LogResult['outcome'];
  readonly response: APIGatewayProxyResult;
}

/** The steps of an operation. A step that fails throws a {@link Failure}; anything else that is thrown is a bug. */
export type Operation = (request: Request) => Promise<Result>;

/** What the handler needs besides its operation. */
export interface Settings extends LogSettings {
  /** The origins of the browser apps that may read the responses; absent: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** The function as the Lambda runtime calls it. The event is untrusted. */
export type Handler = (event: unknown, context: Partial<Context>) => Promise<APIGatewayProxyResult>;

const NANOSECONDS_PER_MS = 1_000_000n;

/**
 * Builds the handler of an operation, with what every operation needs: a deadline, an early response, CORS, an error for
 * each failure, and one line of the log. The client always gets 200 or 400 (a preflight gets 204).
 */
export function makeHandler(operation: Operation, { allowedOrigins, ...settings }: Settings): Handler {
  const log = requestLog(settings);
  const run = withEarlyResponse(operation);
  return async (event, context) => {
    // Not `performance`: it loads perf_hooks, 50 KB of source that Lambda's Node compiles in each new process.
    const startedAt = process.hrtime.bigint();
    const deadline = startDeadline(context);
    const request = readRequest(event, context, deadline.signal);
    const end = (result: LogResult, response: APIGatewayProxyResult): APIGatewayProxyResult => {
      log(request, result, Number((process.hrtime.bigint() - startedAt) / NANOSECONDS_PER_MS));
      return allowedOrigins ? withCors(response, request.http, allowedOrigins) : response;
    };
    try {
      if (allowedOrigins && isPreflight(request.http, allowedOrigins))
        return end({ outcome: 'preflight' }, preflightResponse(request.requestId));
      const { outcome, response } = await run(request, context as Context);
      return end({ outcome }, response);
    } catch (error) {
      const failure = asFailure(error);
      return end(
        failureFields(failure),
        errorResponse(failure.published, request.requestId, failure.message),
      );
    } finally {
      deadline.clear();
    }
  };
}

/** Ends an operation with a failure shortly before Lambda would stop the function. */
function withEarlyResponse(operation: Operation) {
  return middy<Request, Result>({
    timeoutEarlyInMillis: EARLY_RESPONSE_RESERVE_MS,
    timeoutEarlyResponse: () => {
      throw new Failure('NO_RESPONSE', { fault: 'early response' });
    },
  }).handler(operation);
}

/** Anything that is not a Failure is a bug. */
function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const name = error instanceof Error ? error.name : typeof error;
  return new Failure('SERVICE_FAULT', { fault: name, cause: error });
}
