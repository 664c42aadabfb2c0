import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorAnswer } from '../lambda/answer/answers.ts';
import { ERRORS, type ErrorName } from '../lambda/answer/errors.ts';

/**
 * Which published error a client gets when API Gateway answers by itself, for each response type that can occur
 * (API Gateway Developer Guide, "Gateway response types"). Left out are those that need an authorizer, an API key, a
 * request validator or another integration than Lambda's proxy, of which there is none; the two defaults would catch
 * them.
 */
export const GATEWAY_ANSWERS = {
  DEFAULT_4XX: 'REFUSED_BY_GATEWAY',
  // A function that timed out, crashed or ran out of memory arrives here, perhaps after it had stored the plant.
  DEFAULT_5XX: 'NO_ANSWER',
  // A throttled function, but a crashed one too.
  INTEGRATION_FAILURE: 'NO_ANSWER',
  INTEGRATION_TIMEOUT: 'NO_ANSWER',
  API_CONFIGURATION_ERROR: 'SERVICE_FAULT',
  // AWS looks for a signature in a request to an unknown path or method; without any it says that a token is missing.
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

/** A kind of answer that API Gateway gives by itself, as its documentation names it. */
export type GatewayResponseType = keyof typeof GATEWAY_ANSWERS;

/** All response types of {@link GATEWAY_ANSWERS}. */
export const GATEWAY_RESPONSE_TYPES = Object.keys(GATEWAY_ANSWERS) as GatewayResponseType[];

/**
 * Renders the answer that the gateway, or the local stand-in in its place, gives for a response type.
 * @param requestId the request's id, or the gateway's variable that stands for it
 */
export function gatewayAnswer(type: GatewayResponseType, requestId: string): APIGatewayProxyResult {
  return errorAnswer(ERRORS[GATEWAY_ANSWERS[type]], requestId);
}

/** The response types whose published error meets a condition, for the alarms on the gateway's own answers. */
export function gatewayResponseTypes(condition: (error: number) => boolean): GatewayResponseType[] {
  return GATEWAY_RESPONSE_TYPES.filter((type) => condition(ERRORS[GATEWAY_ANSWERS[type]].error));
}
