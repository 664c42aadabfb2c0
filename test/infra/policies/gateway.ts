import { GATEWAY_ANSWERS, type GatewayResponseType } from '../../../infra/gateway-answers.ts';
import { ERRORS, type PublishedError } from '../../../lambda/answer/errors.ts';
import { type Deployed, type Json, only, type Resource, resources } from '../deployed.ts';
import { type Claims, each, type Policy, same } from './policy.ts';

const API = 'AWS::ApiGateway::RestApi';
const METHOD = 'AWS::ApiGateway::Method';
const ANSWER = 'AWS::ApiGateway::GatewayResponse';
const PERMISSION = 'AWS::Lambda::Permission';

function answer(deployed: Deployed, type: GatewayResponseType): Json {
  return resources(deployed, ANSWER).find(([, { Properties }]) => Properties.ResponseType === type)?.[1]
    .Properties;
}

function claimsAboutAnswer({ Properties }: Resource): Claims {
  const type: GatewayResponseType = Properties.ResponseType;
  const { error, message, retryAfter }: PublishedError = ERRORS[GATEWAY_ANSWERS[type]];
  const header = (name: string) => Properties.ResponseParameters[`gatewayresponse.header.${name}`];
  const template = Properties.ResponseTemplates['application/json'];
  return {
    'status 400': Properties.StatusCode === '400',
    'JSON only': same(Object.keys(Properties.ResponseTemplates), ['application/json']),
    'an Error with number and message of the table': template === JSON.stringify({ error, message }),
    // `$` and `#` would be read as the Velocity template language.
    'nothing to be replaced in it': !/[$#]/.test(template),
    'no-store': header('cache-control') === "'no-store'",
    nosniff: header('x-content-type-options') === "'nosniff'",
    'the request id': header('x-request-id') === 'context.requestId',
    'Retry-After where a repeat helps': header('retry-after') === (retryAfter && `'${retryAfter}'`),
  };
}

export const gatewayPolicies: Policy[] = [
  {
    says: 'the gateway is a Regional REST API that leaves the bytes of a body alone',
    violations: (deployed) =>
      each(deployed, API, ({ Properties }) => ({
        Regional: same(Properties.EndpointConfiguration?.Types, ['REGIONAL']),
        'every media type is binary': same(Properties.BinaryMediaTypes, ['*/*']),
        // Switched off it would answer 403 in words of its own.
        'the endpoint of the gateway stays on': Properties.DisableExecuteApiEndpoint !== true,
      })),
    mutations: [
      (d) => delete only(d, API).Properties.EndpointConfiguration,
      (d) => delete only(d, API).Properties.BinaryMediaTypes,
      (d) => {
        only(d, API).Properties.DisableExecuteApiEndpoint = true;
      },
    ],
  },
  {
    says: 'the only method is POST /plants, and only it may call the function, by its alias',
    violations: (deployed) => [
      ...each(deployed, METHOD, ({ Properties }) => ({
        'POST, so no CORS': Properties.HttpMethod === 'POST',
        'a proxy to Lambda, so no MOCK': Properties.Integration.Type === 'AWS_PROXY',
        'the alias, not the newest code': JSON.stringify(Properties.Integration.Uri).includes(
          '"Live848578DF"',
        ),
        'the time-out of the gateway': Properties.Integration.TimeoutInMillis === 29_000,
      })),
      ...each(deployed, 'AWS::ApiGateway::Resource', ({ Properties }) => ({
        '/plants': Properties.PathPart === 'plants',
      })),
      ...each(deployed, PERMISSION, ({ Properties }) => ({
        'of the alias': same(Properties.FunctionName, { Ref: 'Live848578DF' }),
        'for API Gateway': Properties.Principal === 'apigateway.amazonaws.com',
        'for POST /plants only': Properties.SourceArn?.['Fn::Join'][1].at(-1) === '/POST/plants',
      })),
    ],
    mutations: [
      (d) => {
        const create = structuredClone(only(d, METHOD));
        create.Properties.HttpMethod = 'OPTIONS';
        d.template.Resources.Options = create;
      },
      (d) => {
        only(d, METHOD).Properties.Integration.Type = 'MOCK';
      },
      (d) => delete only(d, PERMISSION).Properties.SourceArn,
    ],
  },
  {
    says: 'whatever the gateway answers by itself is 400 with an Error of ours and the headers of every answer',
    violations: (deployed) => [
      ...each(deployed, ANSWER, claimsAboutAnswer),
      ...Object.keys(GATEWAY_ANSWERS)
        .filter((type) => answer(deployed, type as GatewayResponseType) === undefined)
        .map((type) => `${type} has no answer`),
    ],
    mutations: [
      (d) => {
        answer(d, 'THROTTLED').StatusCode = '429';
      },
      (d) => delete answer(d, 'THROTTLED').ResponseParameters['gatewayresponse.header.retry-after'],
      (d) => {
        answer(d, 'DEFAULT_4XX').ResponseTemplates['application/json'] =
          '{"message":$context.error.messageString}';
      },
      (d) => delete answer(d, 'DEFAULT_5XX').ResponseParameters['gatewayresponse.header.cache-control'],
      (d) => {
        answer(d, 'INTEGRATION_FAILURE').ResponseType = 'DEFAULT_4XX';
      },
    ],
  },
];
