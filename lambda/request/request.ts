import type { Context } from 'aws-lambda';
import type { ProxyEvent } from './proxy-event.ts';

/** One request, as the steps of an operation get it. */
export interface Request {
  readonly http: ProxyEvent;
  /** The gateway's request id, which the client gets as `x-request-id`, and may have chosen. */
  readonly requestId: string;
  /** The gateway's other id of the request, which no caller can choose. */
  readonly extendedRequestId: string | undefined;
  /** Aborted when the store's time budget is used up. All calls to the store share it. */
  readonly signal: AbortSignal;
  /** What the steps have found for the line of the log, which has it even if a later step fails. */
  readonly log: { token?: string; id?: string };
}

/**
 * Reads the ids of a request.
 * @param event the runtime's event; anything that is not an object is treated as an empty event
 */
export function readRequest(event: unknown, context: Partial<Context>, signal: AbortSignal): Request {
  const http: ProxyEvent = typeof event === 'object' && event !== null ? event : {};
  return {
    http,
    requestId: textOf(http.requestContext?.requestId) ?? context.awsRequestId ?? 'unknown',
    extendedRequestId: textOf(http.requestContext?.extendedRequestId),
    signal,
    log: {},
  };
}

/** In an event that no gateway sent, an id may be a value that cannot be converted to a string. */
function textOf(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}
