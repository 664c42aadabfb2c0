import { type Json, resources, type Synth } from '../synth.ts';
import { broken, type Claims, each, type Mutation, type Policy } from './policy.ts';

const ANSWER = 'AWS::ApiGateway::GatewayResponse';

/** The published error for each answer that the gateway generates itself (docs/decisions/0001, design of the contract). */
const ERROR_OF: Readonly<Record<string, number>> = {
  ACCESS_DENIED: 40401,
  API_CONFIGURATION_ERROR: 50001,
  DEFAULT_4XX: 40000,
  // The function may have stored the plant, so these three must not be 50301 (nothing was stored).
  DEFAULT_5XX: 50401,
  INTEGRATION_FAILURE: 50401,
  INTEGRATION_TIMEOUT: 50401,
  EXPIRED_TOKEN: 40401,
  INVALID_SIGNATURE: 40401,
  MISSING_AUTHENTICATION_TOKEN: 40401,
  QUOTA_EXCEEDED: 42901,
  REQUEST_TOO_LARGE: 41301,
  RESOURCE_NOT_FOUND: 40401,
  THROTTLED: 42901,
  WAF_FILTERED: 40301,
};

/** A word that only this error's message contains, to detect a message of another error. */
const WORD_OF: Readonly<Record<number, RegExp>> = {
  40000: /before it reached the service/,
  40301: /firewall/,
  40401: /no such operation/,
  41301: /1 MiB/,
  42901: /too many requests/,
  50001: /fault/,
  50401: /may be stored/,
};

const RETRY_AFTER: Readonly<Record<number, string>> = { 42901: "'1'", 50401: "'2'" };

const EXPOSED = "'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate'";

/** API Gateway cannot compare the request's Origin with a list, so only the first allowed origin is named. */
function corsHeaders({ stage: { allowedOrigins } }: Synth): Record<string, string> {
  if (allowedOrigins === undefined) return {};
  return {
    'gatewayresponse.header.access-control-allow-origin': `'${allowedOrigins[0]}'`,
    'gatewayresponse.header.access-control-expose-headers': EXPOSED,
    'gatewayresponse.header.vary': "'Origin'",
  };
}

function claims(synth: Synth, { Properties }: Json): Claims {
  const expected = ERROR_OF[Properties.ResponseType] ?? 0;
  const { 'application/json': template = '{}', ...otherTypes } = Properties.ResponseTemplates ?? {};
  const { error, message = '', ...others } = parsed(template);
  return {
    StatusCode: [Properties.StatusCode, '400'],
    'error of its body': [error, expected],
    'other properties of its body': [others, {}],
    'other media types': [otherTypes, {}],
    'the message is the one of the error, under 200 characters':
      WORD_OF[expected]?.test(message) === true && message.length < 200,
    // Velocity would interpret `$` and `#`.
    'nothing in it is a template': !/[$#]/.test(template),
    headers: [
      Properties.ResponseParameters,
      {
        'gatewayresponse.header.cache-control': "'no-store'",
        'gatewayresponse.header.x-content-type-options': "'nosniff'",
        'gatewayresponse.header.x-request-id': 'context.requestId',
        ...(RETRY_AFTER[expected] && { 'gatewayresponse.header.retry-after': RETRY_AFTER[expected] }),
        ...corsHeaders(synth),
      },
    ],
  };
}

function parsed(template: string): Json {
  try {
    return JSON.parse(template);
  } catch {
    return { error: `no JSON: ${template}` };
  }
}

/** Changes the answer for a response type. */
function changeAnswer(type: string, edit: (properties: Json) => unknown): Mutation {
  return (synth: Synth) =>
    edit(
      resources(synth, ANSWER).find(([, { Properties }]) => Properties.ResponseType === type)?.[1].Properties,
    );
}

function withError(error: number): (properties: Json) => void {
  return ({ ResponseTemplates: templates }) => {
    templates['application/json'] = templates['application/json'].replace(/\d{5}/, String(error));
  };
}

function withAllowedOrigin(mapping: string): (properties: Json) => void {
  return ({ ResponseParameters: parameters }) => {
    parameters['gatewayresponse.header.access-control-allow-origin'] = mapping;
  };
}

export const gatewayAnswerPolicies: Policy[] = [
  {
    says: 'every answer of the gateway itself is 400 with the right Error and the standard headers',
    violations: (synth) => [
      ...broken('gateway', {
        'list of answers': [
          resources(synth, ANSWER)
            .map(([, { Properties }]) => Properties.ResponseType)
            .sort(),
          Object.keys(ERROR_OF).sort(),
        ],
      }),
      ...each(synth, ANSWER, (answer) => claims(synth, answer)),
    ],
    mutations: [
      changeAnswer('THROTTLED', (properties) => Object.assign(properties, { StatusCode: '429' })),
      changeAnswer('THROTTLED', (p) => delete p.ResponseParameters['gatewayresponse.header.retry-after']),
      changeAnswer('DEFAULT_5XX', (p) => delete p.ResponseParameters['gatewayresponse.header.cache-control']),
      changeAnswer('DEFAULT_5XX', withError(50001)),
      changeAnswer('INTEGRATION_TIMEOUT', withError(50301)),
      changeAnswer('WAF_FILTERED', (properties) =>
        Object.assign(properties, { ResponseType: 'DEFAULT_4XX' }),
      ),
      changeAnswer('DEFAULT_4XX', ({ ResponseTemplates }) =>
        Object.assign(ResponseTemplates, { 'application/json': '{"message":$context.error.messageString}' }),
      ),
      changeAnswer('THROTTLED', withAllowedOrigin("'*'")),
      // It would let every site read the answer.
      changeAnswer('DEFAULT_4XX', withAllowedOrigin('method.request.header.Origin')),
      changeAnswer('DEFAULT_5XX', withAllowedOrigin("'https://app.example.com http://localhost:5173'")),
      (synth) => delete synth.template.Resources[resources(synth, ANSWER)[0]?.[0] ?? ''],
    ],
  },
];
