import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { GATEWAY_ANSWERS, type GatewayResponseType, gatewayAnswer } from '../infra/gateway-answers.ts';
import { ERRORS } from '../lambda/answer/errors.ts';

/** The log line of a request that the gateway itself answered. Like AWS's access log, it has no path and no header. */
export interface GatewayLogLine {
  readonly gateway: GatewayResponseType;
  readonly error: number;
  readonly request: string;
  /** What could not be parsed: CONNECT, or Node's error code, such as HPE_INVALID_METHOD. */
  readonly reason?: string;
}

/** Gives and logs the gateway's own answer. */
export type Refuse = (
  type: GatewayResponseType,
  requestId?: string,
  reason?: string,
) => APIGatewayProxyResult;

/**
 * Makes a {@link Refuse} that writes its log lines with `log`.
 * @param allowedOrigins the origins of the browser apps that may use the service; absent: none
 */
export function refuser(
  log: (line: GatewayLogLine) => void,
  allowedOrigins: readonly string[] | undefined,
): Refuse {
  return (gateway, request = randomUUID(), reason) => {
    const { error } = ERRORS[GATEWAY_ANSWERS[gateway]];
    log({ gateway, error, request, ...(reason === undefined ? {} : { reason }) });
    return gatewayAnswer(gateway, request, allowedOrigins);
  };
}
