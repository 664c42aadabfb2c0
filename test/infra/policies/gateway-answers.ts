import { type Json, resources, type Synth } from '../synth.ts';
import { differ, every, find, type Mutant, type Policy, without } from './policy.ts';

const ANSWER = 'AWS::ApiGateway::GatewayResponse';

/** Errors, each with words that only its message contains. */
const NO_OPERATION = [40401, 'no such operation'] as const;
const TOO_MANY = [42901, 'too many requests'] as const;
// The function may have stored the plant, so this must not be 50301 (nothing was stored).
const NO_ANSWER = [50401, 'may be stored'] as const;

/** The published error for each answer that the gateway generates itself (docs/decisions/0001). */
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

/** What is wrong with a body. It is a Velocity template, in which `$` and `#` would be interpreted. */
function wrongBody(type: string, templates: Json): string[] {
  const [error, words = ''] = ERROR_OF[type] ?? [];
  const body = new RegExp(`^\\{"error":${error},"message":"(?=.*${words})[^"$#]{1,199}"\\}$`);
  const isRight =
    Object.keys(templates).join() === 'application/json' && body.test(templates['application/json']);
  return isRight
    ? []
    : [`the body of ${type} is ${JSON.stringify(templates)}, must be Error ${error} with "${words}"`];
}

/** Sets a header of an answer, or removes it. */
function header(id: string, name: string, value?: string): Mutant {
  return (synth) => {
    const [[, answer] = []] = find(synth, id);
    Object.assign(answer?.Properties.ResponseParameters, { [`gatewayresponse.header.${name}`]: value });
  };
}

export const gatewayAnswerPolicies: Policy[] = [
  {
    says: 'every answer that the gateway itself gives is 400 with the right Error and the standard headers',
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
      ['ApiTHROTTLED', 'StatusCode', '429'],
      ['ApiWAFFILTERED', 'ResponseType', 'DEFAULT_4XX'],
      ['ApiDEFAULT4XX', 'ResponseTemplates.application/json', '{"message":$context.error.messageString}'],
      [
        'ApiDEFAULT5XX',
        'ResponseTemplates.application/json',
        '{"error":50001,"message":"It may be stored."}',
      ],
      ['ApiDEFAULT5XX', 'ResponseTemplates.application/json', '{"error":50401,"message":"Not stored."}'],
      ['ApiDEFAULT5XX', 'ResponseTemplates.text/plain', 'It may be stored.'],
      header('ApiTHROTTLED', 'retry-after'),
      header('ApiDEFAULT5XX', 'cache-control'),
      header('ApiTHROTTLED', 'access-control-allow-origin', "'*'"),
      // It would let every site read the answer.
      header('ApiDEFAULT4XX', 'access-control-allow-origin', 'method.request.header.Origin'),
      header('ApiDEFAULT5XX', 'access-control-allow-origin', "'https://a.example https://b.example'"),
      without(ANSWER),
    ],
  },
];
