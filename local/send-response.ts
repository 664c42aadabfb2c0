import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { GATEWAY_RESPONSES, type GatewayResponseType, gatewayResponse } from '../infra/gateway-responses.ts';
import { ERRORS } from '../lambda/errors.ts';
import { type RequestIds, requestIds } from './make-proxy-event.ts';

/** The log line of a request that the gateway itself responded to. Like AWS's access log, it has no path and no header. */
export interface GatewayLogLine {
  readonly gateway: GatewayResponseType;
  readonly error: number;
  readonly request: string;
  readonly extendedRequestId: string;
}

/** Logs one of the gateway's own responses, and returns it. */
export type LoggedResponse = ReturnType<typeof makeLoggedResponse>;

/**
 * Makes the function that logs and returns the gateway's own responses.
 * @param log writes one log line
 * @param allowedOrigins the origins of the browser apps that may use the service; absent: none
 */
export function makeLoggedResponse(log: (line: GatewayLogLine) => void, allowedOrigins?: readonly string[]) {
  return (gateway: GatewayResponseType, ids: RequestIds = requestIds()) => {
    const { error } = ERRORS[GATEWAY_RESPONSES[gateway]];
    const { requestId: request, extendedRequestId } = ids;
    log({ gateway, error, request, extendedRequestId });
    return gatewayResponse(gateway, request, allowedOrigins);
  };
}

/** Sends a result. If the response has already started, closes the connection instead. */
export function sendResponse(response: ServerResponse, result: APIGatewayProxyResult): void {
  if (response.headersSent) return void response.destroy();
  const body = Buffer.from(result.body);
  // A 204 must not have the header (RFC 9110 §8.6).
  const length = result.statusCode === 204 ? {} : { 'content-length': body.length };
  response.writeHead(result.statusCode, { ...renamed(result.headers), ...length });
  response.end(body);
}

/** Renames WWW-Authenticate as API Gateway does, so that no client of this service depends on the original name. */
function renamed(headers: APIGatewayProxyResult['headers']): OutgoingHttpHeaders {
  const { 'www-authenticate': challenge, ...rest } = (headers ?? {}) as OutgoingHttpHeaders;
  return challenge === undefined ? rest : { ...rest, 'x-amzn-remapped-www-authenticate': challenge };
}
