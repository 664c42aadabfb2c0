import { resources } from '../synth.ts';
import { arn, differ, every, type Policy } from './policy.ts';

/** TLS 1.2 and 1.3, for any client that supports these. */
export const TLS = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09', EndpointAccessMode: 'BASIC' };

/** The fields of the access log, none of which is secret. */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  extendedRequestId: '$context.extendedRequestId',
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
};

/** The methods by their names: each with the resource that it belongs to. */
const METHODS: Readonly<Record<string, readonly [method: string, resource: string]>> = {
  ApiplantsPOST: ['POST', '{Apiplants}'],
  ApiplantsANY: ['ANY', '{Apiplants}'],
  ApiproxyANY: ['ANY', '{Apiproxy}'],
  ApiANY: ['ANY', '{Api.RootResourceId}'],
};

export const apiPolicies: Policy[] = [
  {
    says: 'the gateway is a Regional REST API for everybody that forwards bodies unchanged, and requires TLS 1.2',
    violations: (synth) =>
      // Without a policy, and with an enabled endpoint: otherwise it would return 403.
      every(synth, 'AWS::ApiGateway::RestApi', {
        BinaryMediaTypes: ['*/*'],
        EndpointConfiguration: { Types: ['REGIONAL'] },
        Name: `PlantStore-${synth.stage.name}`,
        ...TLS,
      }),
  },
  {
    says: 'the gateway forwards every method and path to the alias of the function, without conditions',
    violations: (synth) => [
      ...[
        ['Apiplants', 'plants'],
        ['Apiproxy', '{proxy+}'],
      ].flatMap(([name = '', PathPart]) =>
        every(synth, name, { ParentId: '{Api.RootResourceId}', PathPart, RestApiId: '{Api}' }),
      ),
      ...Object.entries(METHODS).flatMap(([name, [HttpMethod, ResourceId]]) =>
        // With an authorizer, an API key or a validator, the gateway would respond instead of the function.
        every(synth, name, {
          AuthorizationType: 'NONE',
          HttpMethod,
          Integration: {
            IntegrationHttpMethod: 'POST',
            TimeoutInMillis: 29_000,
            // A MOCK integration fails with the media type */*.
            Type: 'AWS_PROXY',
            Uri: arn(synth.stage, 'apigateway', 'path/2015-03-31/functions/{Live}/invocations', 'lambda'),
          },
          ResourceId,
          RestApiId: '{Api}',
        }),
      ),
    ],
  },
  {
    says: 'the stage has the throttle of its settings, tracing, an access log without secrets, and no execution log',
    violations: (synth) => {
      const { name, throttle } = synth.stage;
      const { Format = '{}' } =
        resources(synth, 'AWS::ApiGateway::Stage')[0]?.[1].Properties.AccessLogSetting ?? {};
      return [
        ...every(synth, 'AWS::ApiGateway::Deployment', { RestApiId: '{Api}' }),
        ...every(synth, 'AWS::ApiGateway::Stage', {
          AccessLogSetting: { DestinationArn: arn(synth.stage, 'logs', 'log-group:{AccessLogs}'), Format },
          DeploymentId: '{ApiDeployment}',
          MethodSettings: [
            {
              DataTraceEnabled: false,
              HttpMethod: '*',
              LoggingLevel: 'OFF',
              ResourcePath: '/*',
              ThrottlingBurstLimit: throttle.burst,
              ThrottlingRateLimit: throttle.rate,
            },
          ],
          RestApiId: '{Api}',
          StageName: name,
          TracingEnabled: true,
        }),
        ...differ('access log', JSON.parse(Format), ACCESS_LOG),
      ];
    },
  },
];
