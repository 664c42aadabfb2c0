import middy from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { Failure } from './errors.ts';
import type { ForeignName } from './faults.ts';
import { EARLY_RESPONSE_RESERVE_MS } from './limits.ts';
import { type Invocation, type MiddyRequest, type Operation, startInvocation } from './request/invocation.ts';
import { type LogSettings, requestLog } from './request/log.ts';
import { cors } from './response/cors.ts';
import { errorResponse } from './response/responses.ts';

/** What the handler needs besides its operation. */
export interface Settings extends LogSettings {
  /** The origins of the browser apps that may read the responses; absent: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** The function as the Lambda runtime calls it. The event is untrusted. */
export type Handler = (event: unknown, context: Partial<Context>) => Promise<APIGatewayProxyResult>;

/**
 * Builds the handler of an operation, with what every operation needs: a deadline, an early response, CORS, an error for
 * each failure, and one line of the log. The client always gets 200 or 400 (a preflight gets 204).
 */
export function makeHandler(operation: Operation, { allowedOrigins, ...settings }: Settings): Handler {
  const log = requestLog(settings);
  return middy<Invocation, APIGatewayProxyResult, unknown>(operation, {
    requestStart(request) {
      request.event = startInvocation(request.event, request.context);
    },
    // Shortly before Lambda would stop the function.
    timeoutEarlyInMillis: EARLY_RESPONSE_RESERVE_MS,
    timeoutEarlyResponse() {
      throw new Failure('NO_RESPONSE', { fault: 'early response' });
    },
    // Unlike `after`, it also runs after a response of `before`.
    requestEnd(request) {
      const { event: invocation, error } = request as MiddyRequest;
      log(invocation, error as Failure | undefined);
      invocation.clearDeadline();
    },
  })
    .use(allowedOrigins ? cors(allowedOrigins) : [])
    .onError(respondWithError) as unknown as Handler;
}

/** Makes a failure of whatever was thrown: anything else is a bug. */
function respondWithError(request: MiddyRequest): void {
  const thrown: unknown = request.error;
  const fault = (thrown instanceof Error ? thrown.name : typeof thrown) as ForeignName;
  const failure = thrown instanceof Failure ? thrown : new Failure('SERVICE_FAULT', { fault, cause: thrown });
  request.error = failure;
  request.response = errorResponse(failure.published, request.event.requestId, failure.message);
}
