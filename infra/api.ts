import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import { GATEWAY_TIMEOUT_MS } from '../lambda/limits.ts';
import { ROUTES } from '../lambda/routes.ts';
import { ACCESS_LOG } from './access-log.ts';
import { endpointOf } from './endpoint.ts';
import { GATEWAY_RESPONSE_TYPES, gatewayResponse } from './gateway-responses.ts';
import { stackName } from './stack-names.ts';
import type { Stage } from './stage-settings.ts';

/** The gateway's variable for the request id, in a mapping of headers. */
const REQUEST_ID = 'context.requestId';

/** TLS 1.2 and 1.3, for the gateway's own name and a custom one. BASIC: any client that supports these may connect. */
export const TLS = {
  securityPolicy: apigateway.SecurityPolicy.TLS13_1_2_PQ_2025_09,
  endpointAccessMode: apigateway.EndpointAccessMode.BASIC,
} as const;

/** The REST API, and the log group of its access log. */
export type Api = ReturnType<typeof makeApi>;

/** Makes the gateway. It passes requests on to the function; its own responses are published errors. */
export function makeApi(scope: Construct, stage: Stage, alias: Alias, key?: IKey) {
  const logGroup = new LogGroup(scope, 'AccessLogs', {
    retention: stage.logDays,
    encryptionKey: key,
    removalPolicy: stage.isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    deletionProtectionEnabled: stage.isProtected,
  });
  const rest = new apigateway.RestApi(scope, 'Api', {
    restApiName: stackName(stage.name),
    description: `Plant Store ${stage.name}`,
    ...endpointOf(scope, stage),
    // The function gets the body as base64, byte for byte. As text, bytes that are not UTF-8 would be replaced.
    binaryMediaTypes: ['*/*'],
    // The access log needs the account's role, which all APIs of a Region share. Deleting it with this stack would stop
    // the logs of the other APIs.
    ...(!stage.hasGatewayRole && {
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    }),
    deployOptions: {
      stageName: stage.name,
      throttlingRateLimit: stage.throttle.rate,
      throttlingBurstLimit: stage.throttle.burst,
      tracingEnabled: true,
      accessLogDestination: new apigateway.LogGroupLogDestination(logGroup),
      accessLogFormat: apigateway.AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      // Execution logs contain request headers, in a log group that the gateway creates and that never expires.
      loggingLevel: apigateway.MethodLoggingLevel.OFF,
    },
  });
  // By default a Regional API accepts TLS 1.0, also under a custom domain name (API Gateway Developer Guide, "Supported
  // security policies"). The construct has no property for it yet.
  Object.assign(rest.node.defaultChild as apigateway.CfnRestApi, TLS);
  // The construct's own output has a generated name and a trailing slash; the stack's own has the base URL.
  rest.node.tryRemoveChild('Endpoint');
  addMethods(rest.root, alias);
  addGatewayResponses(rest, stage);
  makeSampling(scope, stage);
  return { rest, logGroup };
}

/** Sends every path to the function (40401): the gateway itself would look for an AWS signature in a bearer token (40000). */
function addMethods(root: apigateway.IResource, alias: Alias): void {
  const integration = new apigateway.LambdaIntegration(alias, {
    timeout: Duration.millis(GATEWAY_TIMEOUT_MS),
    allowTestInvoke: false,
  });
  const add = (resource: apigateway.IResource, httpMethod: string) => {
    resource.addMethod(httpMethod, integration, { authorizationType: apigateway.AuthorizationType.NONE });
  };
  for (const { method, path } of Object.values(ROUTES)) add(root.resourceForPath(path), method);
  root.addResource('{proxy+}');
  const resources = root.node.findAll().filter((each) => each instanceof apigateway.Resource);
  for (const resource of [root, ...resources]) add(resource, 'ANY');
}

function addGatewayResponses(rest: apigateway.RestApi, { allowedOrigins }: Stage): void {
  for (const type of GATEWAY_RESPONSE_TYPES) {
    const { statusCode, headers, body } = gatewayResponse(type, REQUEST_ID, allowedOrigins);
    const { 'content-type': contentType, ...others } = headers ?? {};
    // In a mapping, literals are in single quotes and variables are not.
    const mapped = Object.entries(others).map(([name, value]) => [
      name,
      value === REQUEST_ID ? value : `'${value}'`,
    ]);
    rest.addGatewayResponse(type, {
      type: apigateway.ResponseType.of(type),
      statusCode: String(statusCode),
      responseHeaders: Object.fromEntries(mapped),
      templates: { [String(contentType)]: body },
    });
  }
}

/**
 * Makes the rule that says which requests are traced: five percent. X-Ray's default rule always traces the first request of each second,
 * which costs 5 dollars per million where there is only one. The gateway decides, by the rule for its own stage, and Lambda
 * follows (X-Ray Developer Guide, "Configuring sampling rules"; API Gateway Developer Guide, "Configure AWS X-Ray sampling
 * rules for API Gateway APIs").
 */
function makeSampling(scope: Construct, stage: Stage): void {
  const name = stackName(stage.name);
  new CfnSamplingRule(scope, 'Sampling', {
    samplingRule: {
      ruleName: name,
      // Rules are tried in this order; no other rule of ours matches this stage.
      priority: 1_000,
      reservoirSize: 0,
      // 25 cents per million requests (docs/scaling.md).
      fixedRate: 0.05,
      serviceName: `${name}/${stage.name}`,
      serviceType: 'AWS::ApiGateway::Stage',
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      resourceArn: '*',
      version: 1,
    },
  });
}
