/**
 * The fields of the gateway's access log and the variables they come from (API Gateway Developer Guide, "Variables for
 * access logging for API Gateway"). No header, no query and no path as the client wrote it: a token may have slipped
 * into any of them. Not `error.message` either: for a malformed signature it repeats the Authorization header, and
 * being unescaped it can break the line's JSON. So every value is a number, an id or one of a fixed set of words; one
 * that is absent is written "-". The error is told by `responseType`, or by the function's own line of that request id.
 */
export const ACCESS_LOG_FIELDS = {
  requestId: '$context.requestId',
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
} as const;
