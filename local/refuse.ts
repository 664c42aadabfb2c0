import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { GATEWAY_ANSWERS, type GatewayResponseType, gatewayAnswer } from '../infra/gateway-answers.ts';
import { ERRORS } from '../lambda/answer/errors.ts';

/** The log line of a request that the gateway answered by itself. Like AWS's access log it has no path and no header. */
export interface GatewayLogLine {
  readonly gateway: GatewayResponseType;
  readonly error: number;
  readonly request: string;
  /** What could not be read: CONNECT, or Node's code, such as HPE_INVALID_METHOD. */
  readonly reason?: string;
}

/** Answers in place of the function, and logs that. */
export type Refuse = (
  type: GatewayResponseType,
  requestId?: string,
  reason?: string,
) => APIGatewayProxyResult;

/** Makes the function that gives the gateway's own answers. */
export function refuser(log: (line: GatewayLogLine) => void): Refuse {
  return (gateway, request = randomUUID(), reason) => {
    const { error } = ERRORS[GATEWAY_ANSWERS[gateway]];
    log({ gateway, error, request, ...(reason === undefined ? {} : { reason }) });
    return gatewayAnswer(gateway, request);
  };
}
