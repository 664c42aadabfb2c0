import { expect, test } from 'vitest';
import { EVERYTHING, PROTECTED } from '../../support/test-stages.ts';
import { copyOf, propertiesOf } from '../synth.ts';

/** The error of each response that the gateway generates itself (docs/decisions.md, 1). */
const ERROR_OF: Readonly<Record<string, number>> = {
  ACCESS_DENIED: 40401,
  API_CONFIGURATION_ERROR: 50001,
  DEFAULT_4XX: 40000,
  // The function may have stored the plant, so this must not be 50301 (nothing was stored).
  DEFAULT_5XX: 50401,
  EXPIRED_TOKEN: 40401,
  INTEGRATION_FAILURE: 50401,
  INTEGRATION_TIMEOUT: 50401,
  INVALID_SIGNATURE: 40401,
  MISSING_AUTHENTICATION_TOKEN: 40401,
  QUOTA_EXCEEDED: 42901,
  REQUEST_TOO_LARGE: 41301,
  RESOURCE_NOT_FOUND: 40401,
  THROTTLED: 42901,
  WAF_FILTERED: 40301,
};
const RETRY_AFTER: Readonly<Record<number, string>> = { 42901: "'1'", 50401: "'2'" };

/** API Gateway cannot compare the request's Origin with a list, so only the first allowed origin is named. */
const CORS = {
  'gatewayresponse.header.access-control-allow-origin': "'https://app.example.com'",
  'gatewayresponse.header.access-control-expose-headers':
    "'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate'",
  'gatewayresponse.header.vary': "'Origin'",
};

test.each([
  ['without origins', PROTECTED, {}],
  ['with origins', EVERYTHING, CORS],
])(
  'every response of the gateway itself is 400 with the right Error and the standard headers: %s',
  (_, stage, cors) => {
    const responses = Object.values(propertiesOf(copyOf(stage), 'AWS::ApiGateway::GatewayResponse'));
    expect(responses.map(({ ResponseType }) => ResponseType).sort()).toEqual(Object.keys(ERROR_OF));
    for (const { ResponseType, ...response } of responses) {
      const error = ERROR_OF[ResponseType] ?? 0;
      expect(response).toEqual({
        ResponseParameters: {
          'gatewayresponse.header.cache-control': "'no-store'",
          'gatewayresponse.header.x-content-type-options': "'nosniff'",
          'gatewayresponse.header.x-request-id': 'context.requestId',
          ...(error in RETRY_AFTER && { 'gatewayresponse.header.retry-after': RETRY_AFTER[error] }),
          ...cors,
        },
        // It is a Velocity template, in which `$` and `#` have a meaning.
        ResponseTemplates: {
          'application/json': expect.stringMatching(`^{"error":${error},"message":"[^"$#]{1,199}"}$`),
        },
        RestApiId: '{Api}',
        StatusCode: '400',
      });
    }
  },
);
