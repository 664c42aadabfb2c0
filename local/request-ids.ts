import { randomBytes, randomUUID } from 'node:crypto';

/** The ids that API Gateway gives a request. Unlike there, a client cannot choose the first. */
export interface RequestIds {
  /** The client gets it as `x-request-id`. */
  readonly requestId: string;
  readonly extendedRequestId: string;
}

/** Makes the ids of a request; the second has the form of the ids in AWS's examples. */
export function requestIds(): RequestIds {
  return { requestId: randomUUID(), extendedRequestId: randomBytes(11).toString('base64') };
}
