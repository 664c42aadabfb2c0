import { type Json, resources, type Synth, textOf } from '../synth.ts';
import { differ, every, type Policy, without } from './policy.ts';

const API = 'AWS::ApiGateway::RestApi';
const METHOD = 'AWS::ApiGateway::Method';
const PERMISSION = 'AWS::Lambda::Permission';
const STAGE = 'AWS::ApiGateway::Stage';
const ACCOUNT = 'AWS::ApiGateway::Account';

/** The variables of the access log. */
const VARIABLES =
  'error.responseType httpMethod identity.sourceIp integration.integrationStatus integration.latency ' +
  'integration.status requestId requestTimeEpoch resourcePath responseLatency responseLength status xrayTraceId';

/** The methods with their paths, such as `POST /plants`. */
const routes = (synth: Synth) =>
  resources(synth, METHOD).map(([, { Properties }]) => {
    const path = synth.template.Resources[Properties.ResourceId.Ref]?.Properties.PathPart ?? '';
    return `${Properties.HttpMethod} /${path}`;
  });

/** The last part of an ARN of each resource of a type. */
const ends = (synth: Synth, type: string, arn: (properties: Json) => Json) =>
  resources(synth, type).map(([, { Properties }]) => textOf(arn(Properties) ?? '').replace(/.*:/, ''));

export const apiPolicies: Policy[] = [
  {
    says: 'the gateway is a Regional REST API that forwards bodies unchanged, and requires TLS 1.2',
    violations: (synth) =>
      every(synth, API, {
        'EndpointConfiguration.Types': ['REGIONAL'],
        BinaryMediaTypes: ['*/*'],
        // A disabled endpoint would answer 403.
        DisableExecuteApiEndpoint: undefined,
        SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
        EndpointAccessMode: 'BASIC',
      }),
    mutants: [
      [API, 'EndpointConfiguration'],
      [API, 'BinaryMediaTypes'],
      [API, 'DisableExecuteApiEndpoint', true],
      [API, 'SecurityPolicy'],
      [API, 'EndpointAccessMode'],
    ],
  },
  {
    says: 'the gateway forwards every method and path to the alias of the function, without conditions',
    violations: (synth) => [
      ...differ(
        'list of methods',
        routes(synth).sort().join(),
        'ANY /,ANY /plants,ANY /{proxy+},POST /plants',
      ),
      ...every(synth, METHOD, {
        AuthorizationType: 'NONE',
        // With an authorizer, an API key or a validator, the gateway would answer instead of the function.
        AuthorizerId: undefined,
        ApiKeyRequired: undefined,
        RequestValidatorId: undefined,
        // A MOCK integration fails with the media type */*.
        'Integration.Type': 'AWS_PROXY',
        'Integration.TimeoutInMillis': 29_000,
      }),
      ...differ(
        'list of integrations',
        ends(synth, METHOD, ({ Integration }) => Integration.Uri),
        Array(4).fill('path/2015-03-31/functions/{Live848578DF}/invocations'),
      ),
    ],
    mutants: [
      ({ template: { Resources } }) =>
        Object.assign(Resources, { Copy: Object.values(Resources).find(({ Type }) => Type === METHOD) }),
      without(METHOD),
      ['ApiplantsPOST', 'AuthorizationType', 'AWS_IAM'],
      ['ApiplantsPOST', 'ApiKeyRequired', true],
      [METHOD, 'Integration.Type', 'MOCK'],
      [METHOD, 'Integration.Uri', 'arn:aws:apigateway:::path/2015-03-31/functions/Other/invocations'],
    ],
  },
  {
    says: 'only API Gateway may call the alias, and only for the methods of this API',
    violations: (synth) => [
      ...every(synth, PERMISSION, {
        FunctionName: { Ref: 'Live848578DF' },
        Action: 'lambda:InvokeFunction',
        Principal: 'apigateway.amazonaws.com',
      }),
      ...differ(
        'list of methods that may call the alias',
        ends(synth, PERMISSION, ({ SourceArn }) => SourceArn).sort(),
        ['/*/', '/*/*', '/*/plants', '/POST/plants'].map(
          (route) => `{ApiF70053CD}/{${resources(synth, STAGE)[0]?.[0]}}${route}`,
        ),
      ),
    ],
    mutants: [[PERMISSION, 'SourceArn'], [PERMISSION, 'Principal', '*'], without(PERMISSION)],
  },
  {
    says: 'the stage has the throttle of its settings, tracing, and no execution log',
    violations: (synth) =>
      every(synth, STAGE, {
        MethodSettings: [
          {
            HttpMethod: '*',
            ResourcePath: '/*',
            ThrottlingRateLimit: synth.stage.throttle.rate,
            ThrottlingBurstLimit: synth.stage.throttle.burst,
            LoggingLevel: 'OFF',
            DataTraceEnabled: false,
          },
        ],
        TracingEnabled: true,
      }),
    mutants: [
      [STAGE, 'MethodSettings'],
      [STAGE, 'MethodSettings.0.ThrottlingRateLimit', 10_000],
      [STAGE, 'MethodSettings.0.LoggingLevel', 'INFO'],
      [STAGE, 'TracingEnabled'],
    ],
  },
  {
    says: 'the access log is JSON with exactly the listed variables, none of which is secret',
    violations: (synth) => {
      const { Format = '' } = resources(synth, STAGE)[0]?.[1].Properties.AccessLogSetting ?? {};
      const variables = [...Format.matchAll(/"\$context\.([\w.]+)"/g)].map(([, name]) => name);
      return [
        ...differ('list of variables', variables.sort().join(' '), VARIABLES),
        ...differ(
          'log group',
          ends(synth, STAGE, ({ AccessLogSetting }) => AccessLogSetting?.DestinationArn),
          ['{AccessLogs8B620ECA}'],
        ),
      ];
    },
    mutants: [
      [STAGE, 'AccessLogSetting'],
      [STAGE, 'AccessLogSetting.Format', '{"agent":"$context.identity.userAgent"}'],
      [STAGE, 'AccessLogSetting.DestinationArn', 'arn:aws:logs:::other'],
    ],
  },
  {
    says: "the stage depends on the account's logging role, which is kept when a stack is deleted",
    violations: (synth) => [
      ...every(synth, ACCOUNT, {
        DeletionPolicy: 'Retain',
        CloudWatchRoleArn: { 'Fn::GetAtt': ['ApiCloudWatchRole73EC6FC4', 'Arn'] },
      }),
      ...every(synth, 'ApiCloudWatchRole', { DeletionPolicy: 'Retain' }),
      ...every(synth, STAGE, { DependsOn: ['ApiAccountA18C9B29'] }),
    ],
    mutants: [
      [ACCOUNT, 'DeletionPolicy', 'Delete'],
      ['ApiCloudWatchRole', 'DeletionPolicy', 'Delete'],
      [STAGE, 'DependsOn'],
      without(ACCOUNT),
    ],
  },
];
