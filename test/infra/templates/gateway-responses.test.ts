import { expect, test } from 'vitest';
import { copyOf, EVERYTHING, PROTECTED, propertiesOf } from '../synth.ts';

/** The error for each response that the gateway generates itself (docs/decisions.md, 1), and words of its message. */
const ERROR_OF: Readonly<Record<string, readonly [error: number, words: string]>> = {
  ACCESS_DENIED: [40401, 'no such operation'],
  API_CONFIGURATION_ERROR: [50001, 'fault'],
  DEFAULT_4XX: [40000, 'before it reached the service'],
  // The function may have stored the plant, so this must not be 50301 (nothing was stored).
  DEFAULT_5XX: [50401, 'may have been stored'],
  EXPIRED_TOKEN: [40401, 'no such operation'],
  INTEGRATION_FAILURE: [50401, 'may have been stored'],
  INTEGRATION_TIMEOUT: [50401, 'may have been stored'],
  INVALID_SIGNATURE: [40401, 'no such operation'],
  MISSING_AUTHENTICATION_TOKEN: [40401, 'no such operation'],
  QUOTA_EXCEEDED: [42901, 'Too many requests'],
  REQUEST_TOO_LARGE: [41301, '1 MiB'],
  RESOURCE_NOT_FOUND: [40401, 'no such operation'],
  THROTTLED: [42901, 'Too many requests'],
  WAF_FILTERED: [40301, 'firewall'],
};
const RETRY_AFTER: Readonly<Record<number, string>> = { 42901: "'1'", 50401: "'2'" };

/** API Gateway cannot compare the request's Origin with a list, so only the first allowed origin is named. */
const CORS = {
  'gatewayresponse.header.access-control-allow-origin': "'https://app.example.com'",
  'gatewayresponse.header.access-control-expose-headers':
    "'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate'",
  'gatewayresponse.header.vary': "'Origin'",
};

const responsesOf = (stage: typeof PROTECTED) =>
  Object.values(propertiesOf(copyOf(stage), 'AWS::ApiGateway::GatewayResponse')).map(
    ({ ResponseType, ...response }) => [ResponseType, response],
  );

test.each([
  ['without origins', PROTECTED, {}],
  ['with origins', EVERYTHING, CORS],
])(
  'every response of the gateway itself is 400 with the right Error and the standard headers: %s',
  (_, stage, cors) => {
    const required = Object.entries(ERROR_OF).map(([type, [error, words]]) => {
      const retryAfter = RETRY_AFTER[error];
      const response = {
        ResponseParameters: {
          'gatewayresponse.header.cache-control': "'no-store'",
          'gatewayresponse.header.x-content-type-options': "'nosniff'",
          'gatewayresponse.header.x-request-id': 'context.requestId',
          ...(retryAfter && { 'gatewayresponse.header.retry-after': retryAfter }),
          ...cors,
        },
        // It is a Velocity template, in which `$` and `#` have a meaning.
        ResponseTemplates: {
          'application/json': expect.stringMatching(
            `^{"error":${error},"message":"(?=.*${words})[^"$#]{1,199}"}$`,
          ),
        },
        RestApiId: '{Api}',
        StatusCode: '400',
      };
      return [type, response];
    });
    expect(Object.fromEntries(responsesOf(stage))).toEqual(Object.fromEntries(required));
  },
);
