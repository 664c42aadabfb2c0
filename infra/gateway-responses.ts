import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ErrorName } from '../lambda/errors.ts';
import { ERRORS } from '../lambda/published-errors.ts';
import { corsHeaders } from '../lambda/response/cors.ts';
import { errorResponse } from '../lambda/response/responses.ts';

/**
 * The published error for each response type with which API Gateway itself can respond (API Gateway Developer Guide,
 * "Gateway response types"). The other types need an authorizer, an API key, a request validator or an integration
 * other than Lambda's proxy, which this API does not have; the two defaults cover them.
 */
export const GATEWAY_RESPONSES = {
  DEFAULT_4XX: 'REFUSED_BY_GATEWAY',
  // The function timed out, crashed or ran out of memory; it may have stored the plant.
  DEFAULT_5XX: 'NO_RESPONSE',
  // The function was throttled, or it crashed.
  INTEGRATION_FAILURE: 'NO_RESPONSE',
  INTEGRATION_TIMEOUT: 'NO_RESPONSE',
  API_CONFIGURATION_ERROR: 'SERVICE_FAULT',
  // ANY accepts every path without a signature, so these five are for methods outside ANY, such as PROPFIND.
  MISSING_AUTHENTICATION_TOKEN: 'NO_SUCH_OPERATION',
  INVALID_SIGNATURE: 'NO_SUCH_OPERATION',
  ACCESS_DENIED: 'NO_SUCH_OPERATION',
  EXPIRED_TOKEN: 'NO_SUCH_OPERATION',
  RESOURCE_NOT_FOUND: 'NO_SUCH_OPERATION',
  REQUEST_TOO_LARGE: 'TOO_LARGE',
  THROTTLED: 'TOO_MANY_REQUESTS',
  QUOTA_EXCEEDED: 'TOO_MANY_REQUESTS',
  WAF_FILTERED: 'REFUSED_BY_FIREWALL',
} as const satisfies Record<string, ErrorName>;

/** A response type of API Gateway, by its name in the documentation. */
export type GatewayResponseType = keyof typeof GATEWAY_RESPONSES;

/** All response types of {@link GATEWAY_RESPONSES}. */
export const GATEWAY_RESPONSE_TYPES = Object.keys(GATEWAY_RESPONSES) as GatewayResponseType[];

/**
 * The response of the gateway, or of its local stand-in, for a response type.
 *
 * API Gateway can send a constant or copy the request's Origin, but cannot compare the Origin with a list. So of several
 * allowed origins only the first can read these responses (docs/decisions.md, 7).
 * @param requestId the request's id, or the gateway's variable for it
 * @param allowedOrigins the origins whose pages may read the service's responses; absent: none
 */
export function gatewayResponse(
  type: GatewayResponseType,
  requestId: string,
  allowedOrigins?: readonly string[],
): APIGatewayProxyResult {
  const response = errorResponse(ERRORS[GATEWAY_RESPONSES[type]], requestId);
  if (allowedOrigins === undefined) return response;
  return { ...response, headers: { ...response.headers, ...corsHeaders(allowedOrigins[0]) } };
}
