import { type Json, resources, type Synth } from '../synth.ts';
import { differ, every, type Mutant, type Policy, without } from './policy.ts';

const ANSWER = 'AWS::ApiGateway::GatewayResponse';

/** The errors, with words that only the message of this error contains. */
const NO_OPERATION = [40401, 'no such operation'] as const;
const TOO_MANY = [42901, 'too many requests'] as const;
// The function may have stored the plant, so this must not be 50301 (nothing was stored).
const NO_ANSWER = [50401, 'may be stored'] as const;

/** The published error for each answer that the gateway generates itself (docs/decisions/0001, design of the contract). */
const ERROR_OF: Readonly<Record<string, readonly [error: number, words: string]>> = {
  ACCESS_DENIED: NO_OPERATION,
  API_CONFIGURATION_ERROR: [50001, 'fault'],
  DEFAULT_4XX: [40000, 'before it reached the service'],
  DEFAULT_5XX: NO_ANSWER,
  EXPIRED_TOKEN: NO_OPERATION,
  INTEGRATION_FAILURE: NO_ANSWER,
  INTEGRATION_TIMEOUT: NO_ANSWER,
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

/** What is wrong with a body, which is a template of Velocity: `$` and `#` would be interpreted. */
function wrongBody(type: string, templates: Json): string[] {
  const [error, words = ''] = ERROR_OF[type] ?? [];
  const body = new RegExp(`^\\{"error":${error},"message":"(?=.*${words})[^"$#]{1,199}"\\}$`);
  const isRight =
    Object.keys(templates).join() === 'application/json' && body.test(templates['application/json']);
  return isRight
    ? []
    : [`the body of ${type} is ${JSON.stringify(templates)}, must be Error ${error} with "${words}"`];
}

/** Changes the answer for a response type. */
function answer(type: string, edit: (properties: Json) => unknown): Mutant {
  return (synth) =>
    edit(
      resources(synth, ANSWER).find(([, { Properties }]) => Properties.ResponseType === type)?.[1].Properties,
    );
}

const withHeader = (name: string, value?: string) => (properties: Json) => {
  properties.ResponseParameters[`gatewayresponse.header.${name}`] = value;
};

const withBody = (found: RegExp | string, replacement: string) => (properties: Json) => {
  const templates = properties.ResponseTemplates;
  templates['application/json'] = templates['application/json'].replace(found, replacement);
};

export const gatewayAnswerPolicies: Policy[] = [
  {
    says: 'every answer of the gateway itself is 400 with the right Error and the standard headers',
    violations: (synth) => {
      const answers = resources(synth, ANSWER).map(([, { Properties }]) => Properties);
      return [
        ...differ(
          'list of answers',
          answers.map((each) => each.ResponseType).sort(),
          Object.keys(ERROR_OF).sort(),
        ),
        ...answers.flatMap((each) => wrongBody(each.ResponseType, each.ResponseTemplates)),
        ...every(synth, ANSWER, ({ ResponseType }) => {
          const retryAfter = RETRY_AFTER[ERROR_OF[ResponseType]?.[0] ?? 0];
          return {
            StatusCode: '400',
            ResponseParameters: {
              'gatewayresponse.header.cache-control': "'no-store'",
              'gatewayresponse.header.x-content-type-options': "'nosniff'",
              'gatewayresponse.header.x-request-id': 'context.requestId',
              ...(retryAfter && { 'gatewayresponse.header.retry-after': retryAfter }),
              ...corsHeaders(synth),
            },
          };
        }),
      ];
    },
    mutants: [
      answer('THROTTLED', (properties) => Object.assign(properties, { StatusCode: '429' })),
      answer('THROTTLED', withHeader('retry-after')),
      answer('DEFAULT_5XX', withHeader('cache-control')),
      answer('DEFAULT_5XX', withBody('50401', '50001')),
      answer('DEFAULT_5XX', withBody('may be', 'is not')),
      answer('INTEGRATION_TIMEOUT', withBody('50401', '50301')),
      answer('WAF_FILTERED', (properties) => Object.assign(properties, { ResponseType: 'DEFAULT_4XX' })),
      answer('DEFAULT_4XX', withBody(/.*/, '{"message":$context.error.messageString}')),
      answer('THROTTLED', withHeader('access-control-allow-origin', "'*'")),
      // It would let every site read the answer.
      answer('DEFAULT_4XX', withHeader('access-control-allow-origin', 'method.request.header.Origin')),
      answer(
        'DEFAULT_5XX',
        withHeader('access-control-allow-origin', "'https://a.example https://b.example'"),
      ),
      without(ANSWER),
    ],
  },
];
