import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The ids that API Gateway gives a request. */
export interface RequestIds {
  /** The client gets it as `x-request-id`. */
  readonly requestId: string;
  readonly extendedRequestId: string;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Makes the ids of a request as API Gateway does: a client may choose the first, if it is a UUID, and nobody the second (API
 * Gateway Developer Guide, "Access logging for REST APIs").
 * @param request absent if it could not be parsed
 */
export function requestIds(request?: IncomingMessage): RequestIds {
  const chosen = String(request?.headers['x-amzn-requestid']);
  return {
    requestId: UUID.test(chosen) ? chosen : randomUUID(),
    // The form of the ids in AWS's examples.
    extendedRequestId: randomBytes(11).toString('base64'),
  };
}
