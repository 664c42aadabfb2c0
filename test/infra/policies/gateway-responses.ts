import { type Json, resources, type Synth } from '../synth.ts';
import { differ, every, type Policy } from './policy.ts';

const RESPONSE = 'AWS::ApiGateway::GatewayResponse';

/** Errors, each with words that only its message contains. */
const NO_OPERATION = [40401, 'no such operation'] as const;
const TOO_MANY = [42901, 'Too many requests'] as const;
// The function may have stored the plant, so this must not be 50301 (nothing was stored).
const NO_RESPONSE = [50401, 'may have been stored'] as const;

/** The published error for each response that the gateway generates itself (docs/decisions/0001). */
export const ERROR_OF: Readonly<Record<string, readonly [error: number, words: string]>> = {
  ACCESS_DENIED: NO_OPERATION,
  API_CONFIGURATION_ERROR: [50001, 'fault'],
  DEFAULT_4XX: [40000, 'before it reached the service'],
  DEFAULT_5XX: NO_RESPONSE,
  EXPIRED_TOKEN: NO_OPERATION,
  INTEGRATION_FAILURE: NO_RESPONSE,
  INTEGRATION_TIMEOUT: NO_RESPONSE,
  INVALID_SIGNATURE: NO_OPERATION,
  MISSING_AUTHENTICATION_TOKEN: NO_OPERATION,
  QUOTA_EXCEEDED: TOO_MANY,
  REQUEST_TOO_LARGE: [41301, '1 MiB'],
  RESOURCE_NOT_FOUND: NO_OPERATION,
  THROTTLED: TOO_MANY,
  WAF_FILTERED: [40301, 'firewall'],
};

const RETRY_AFTER: Readonly<Record<number, string>> = { 42901: "'1'", 50401: "'2'" };

/** API Gateway cannot compare the request's Origin with a list, so only the first allowed origin is named. */
const corsHeaders = ({ stage: { allowedOrigins } }: Synth) =>
  allowedOrigins && {
    'gatewayresponse.header.access-control-allow-origin': `'${allowedOrigins[0]}'`,
    'gatewayresponse.header.access-control-expose-headers':
      "'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate'",
    'gatewayresponse.header.vary': "'Origin'",
  };

/** The body itself if it is right, or what it must be. It is a Velocity template, in which `$` and `#` have a meaning. */
function requiredBody(type: string, templates: Json): unknown {
  const [error, words = ''] = ERROR_OF[type] ?? [];
  const body = new RegExp(`^{"error":${error},"message":"(?=.*${words})[^"$#]{1,199}"}$`);
  const found = templates?.['application/json'];
  return { 'application/json': body.test(found) ? found : `Error ${error} with "${words}"` };
}

export const gatewayResponsePolicies: Policy[] = [
  {
    says: 'every response that the gateway itself gives is 400 with the right Error and the standard headers',
    violations: (synth) => [
      ...differ(
        'responses',
        resources(synth, RESPONSE)
          .map(([, { Properties }]) => Properties.ResponseType)
          .sort(),
        Object.keys(ERROR_OF).sort(),
      ),
      ...every(synth, RESPONSE, ({ ResponseTemplates, ResponseType }) => {
        const retryAfter = RETRY_AFTER[ERROR_OF[ResponseType]?.[0] ?? 0];
        return {
          ResponseParameters: {
            'gatewayresponse.header.cache-control': "'no-store'",
            'gatewayresponse.header.x-content-type-options': "'nosniff'",
            'gatewayresponse.header.x-request-id': 'context.requestId',
            ...(retryAfter && { 'gatewayresponse.header.retry-after': retryAfter }),
            ...corsHeaders(synth),
          },
          ResponseTemplates: requiredBody(ResponseType, ResponseTemplates),
          ResponseType,
          RestApiId: '{Api}',
          StatusCode: '400',
        };
      }),
    ],
  },
];
