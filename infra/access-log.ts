import type { ErrorName } from '../lambda/errors.ts';
import { GATEWAY_RESPONSE_TYPES, GATEWAY_RESPONSES } from './gateway-responses.ts';

/**
 * The fields of the gateway's access log and the variables they come from (API Gateway Developer Guide, "Variables for
 * access logging for API Gateway"). No header, query or raw path: each may contain a token. Not `error.message` either:
 * for a malformed signature it repeats the Authorization header, and it is not escaped, so it can break the line's
 * JSON. A variable without a value is written as "-".
 */
export const ACCESS_LOG = {
  requestId: '$context.requestId',
  extendedRequestId: '$context.extendedRequestId',
  time: '$context.requestTimeEpoch',
  address: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  status: '$context.status',
  responseType: '$context.error.responseType',
  integrationStatus: '$context.integration.integrationStatus',
  functionStatus: '$context.integration.status',
  latency: '$context.responseLatency',
  functionLatency: '$context.integration.latency',
  responseLength: '$context.responseLength',
  trace: '$context.xrayTraceId',
};

/** A pattern for lines of the access log: the gateway itself responded with one of these errors. */
export function isRefusedBy(errors: readonly ErrorName[]): string {
  const types = GATEWAY_RESPONSE_TYPES.filter((type) => errors.includes(GATEWAY_RESPONSES[type]));
  const terms = types.map((type) => `$.responseType = "${type}"`);
  return `{ ${terms.join(' || ')} }`;
}
