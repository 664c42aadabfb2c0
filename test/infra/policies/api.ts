import { type Json, only, resources, type Synth } from '../synth.ts';
import { broken, change, each, type Policy } from './policy.ts';

const API = 'AWS::ApiGateway::RestApi';
const METHOD = 'AWS::ApiGateway::Method';
const PERMISSION = 'AWS::Lambda::Permission';
const STAGE = 'AWS::ApiGateway::Stage';

/** A method and its path, such as `POST /plants`. */
function route({ template }: Synth, { Properties: { HttpMethod, ResourceId } }: Json): string {
  const { PathPart = '' } = template.Resources[ResourceId.Ref]?.Properties ?? {};
  return `${HttpMethod} /${PathPart}`;
}

export const apiPolicies: Policy[] = [
  {
    says: 'the gateway is a Regional REST API that forwards bodies unchanged',
    violations: (synth) =>
      each(synth, API, ({ Properties }) => ({
        'endpoint types': [Properties.EndpointConfiguration?.Types, ['REGIONAL']],
        BinaryMediaTypes: [Properties.BinaryMediaTypes, ['*/*']],
        // A disabled endpoint would answer 403.
        'the endpoint of the gateway is on': Properties.DisableExecuteApiEndpoint !== true,
      })),
    mutations: [
      change(API, 'Properties.EndpointConfiguration'),
      change(API, 'Properties.BinaryMediaTypes'),
      change(API, 'Properties.DisableExecuteApiEndpoint', true),
    ],
  },
  {
    says: 'the gateway forwards every method and path to the alias of the function, without conditions',
    violations: (synth) => [
      ...broken('methods', {
        list: [
          resources(synth, METHOD)
            .map(([, method]) => route(synth, method))
            .sort(),
          ['ANY /', 'ANY /plants', 'ANY /{proxy+}', 'POST /plants'],
        ],
      }),
      ...each(synth, METHOD, ({ Properties }) => ({
        AuthorizationType: [Properties.AuthorizationType, 'NONE'],
        // With an authorizer, an API key or a validator, the gateway would answer instead of the function.
        'other conditions': [
          [Properties.AuthorizerId, Properties.ApiKeyRequired ?? false, Properties.RequestValidatorId],
          [undefined, false, undefined],
        ],
        // A MOCK integration fails with the media type */*.
        'type of integration': [Properties.Integration.Type, 'AWS_PROXY'],
        'the integration is the alias': JSON.stringify(Properties.Integration.Uri).includes('"Live848578DF"'),
        'time-out in ms': [Properties.Integration.TimeoutInMillis, 29_000],
      })),
    ],
    mutations: [
      (synth) => {
        const [[, method] = []] = resources(synth, METHOD);
        const options = structuredClone(method as Json);
        options.Properties.HttpMethod = 'OPTIONS';
        synth.template.Resources.Options = options;
      },
      (synth) => delete synth.template.Resources[resources(synth, METHOD)[1]?.[0] ?? ''],
      change('ApiplantsPOST', 'Properties.AuthorizationType', 'AWS_IAM'),
      change('ApiplantsPOST', 'Properties.ApiKeyRequired', true),
      change(METHOD, 'Properties.Integration.Type', 'MOCK'),
    ],
  },
  {
    says: 'only API Gateway may call the alias, for each of these methods of this API',
    violations: (synth) => [
      ...each(synth, PERMISSION, ({ Properties }) => ({
        FunctionName: [Properties.FunctionName, { Ref: 'Live848578DF' }],
        Action: [Properties.Action, 'lambda:InvokeFunction'],
        Principal: [Properties.Principal, 'apigateway.amazonaws.com'],
        'the API and its stage': [
          Properties.SourceArn?.['Fn::Join'][1].filter((part: Json) => part.Ref?.startsWith('Api')),
          [{ Ref: 'ApiF70053CD' }, { Ref: resources(synth, STAGE)[0]?.[0] }],
        ],
      })),
      ...broken('permissions', {
        routes: [
          resources(synth, PERMISSION)
            .map(([, { Properties }]) => Properties.SourceArn?.['Fn::Join'][1].at(-1))
            .sort(),
          ['/*/', '/*/*', '/*/plants', '/POST/plants'],
        ],
      }),
    ],
    mutations: [
      change(PERMISSION, 'Properties.SourceArn'),
      change(PERMISSION, 'Properties.Principal', '*'),
      (synth) => delete synth.template.Resources[resources(synth, PERMISSION)[0]?.[0] ?? ''],
    ],
  },
  {
    says: 'the stage has the throttle of the stage file, tracing, and no execution log',
    violations: (synth) =>
      each(synth, STAGE, ({ Properties }) => ({
        MethodSettings: [
          Properties.MethodSettings,
          [
            {
              HttpMethod: '*',
              ResourcePath: '/*',
              ThrottlingRateLimit: synth.stage.throttle.rate,
              ThrottlingBurstLimit: synth.stage.throttle.burst,
              LoggingLevel: 'OFF',
              DataTraceEnabled: false,
            },
          ],
        ],
        TracingEnabled: [Properties.TracingEnabled, true],
      })),
    mutations: [
      change(STAGE, 'Properties.MethodSettings'),
      change(STAGE, 'Properties.MethodSettings.0.ThrottlingRateLimit', 10_000),
      change(STAGE, 'Properties.MethodSettings.0.LoggingLevel', 'INFO'),
      change(STAGE, 'Properties.TracingEnabled'),
    ],
  },
  {
    says: 'the access log has request id, response type, latencies and statuses as JSON, and no client data',
    violations: (synth) =>
      each(
        synth,
        STAGE,
        ({ Properties: { AccessLogSetting: { Format = '', DestinationArn } = {} as Json } }) => ({
          variables: [
            [...Format.matchAll(/"\$context\.([\w.]+)"/g)].map(([, name]) => name).sort(),
            [
              'error.responseType',
              'httpMethod',
              'identity.sourceIp',
              'integration.integrationStatus',
              'integration.latency',
              'integration.status',
              'requestId',
              'requestTimeEpoch',
              'resourcePath',
              'responseLatency',
              'responseLength',
              'status',
              'xrayTraceId',
            ],
          ],
          'it goes to its log group': JSON.stringify(DestinationArn ?? '').includes('"AccessLogs8B620ECA"'),
        }),
      ),
    mutations: [
      change(STAGE, 'Properties.AccessLogSetting'),
      change(STAGE, 'Properties.AccessLogSetting.Format', '{"agent":"$context.identity.userAgent"}'),
      change(STAGE, 'Properties.AccessLogSetting.DestinationArn', 'arn:aws:logs:::other'),
    ],
  },
  {
    says: "the stage depends on the account's logging role, which is kept when a stack is deleted",
    violations: (synth) =>
      each(synth, 'AWS::ApiGateway::Account', ({ Properties, DeletionPolicy }, id) => {
        const role = Properties.CloudWatchRoleArn['Fn::GetAtt'][0];
        return {
          DeletionPolicy: [DeletionPolicy, 'Retain'],
          'DeletionPolicy of the role': [synth.template.Resources[role]?.DeletionPolicy, 'Retain'],
          'the stage depends on it': only(synth, STAGE).DependsOn?.includes(id) === true,
        };
      }),
    mutations: [
      change('AWS::ApiGateway::Account', 'DeletionPolicy', 'Delete'),
      change('ApiCloudWatchRole', 'DeletionPolicy', 'Delete'),
      change(STAGE, 'DependsOn'),
      (synth) => delete synth.template.Resources.ApiAccountA18C9B29,
    ],
  },
];
