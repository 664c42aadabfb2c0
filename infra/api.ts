import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { GATEWAY_TIMEOUT_MS } from '../lambda/limits.ts';
import { ACCESS_LOG_FIELDS } from './access-log.ts';
import { acknowledgeApi } from './api-acknowledgements.ts';
import { GATEWAY_RESPONSE_TYPES, gatewayAnswer } from './gateway-answers.ts';
import type { Stage } from './stages.ts';

/** The gateway's variable for the request id, in a mapping of headers. */
const REQUEST_ID = 'context.requestId';

/** The REST API, and the log group of its access log. */
export interface Api {
  readonly rest: apigateway.RestApi;
  readonly logGroup: LogGroup;
}

/** Makes the gateway: POST /plants goes to the function, and whatever it answers by itself is one of our errors. */
export function makeApi(scope: Construct, stage: Stage, alias: Alias): Api {
  const logGroup = new LogGroup(scope, 'AccessLogs', {
    retention: stage.logDays,
    removalPolicy: stage.isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  const rest = new apigateway.RestApi(scope, 'Api', {
    restApiName: `PlantStore-${stage.name}`,
    description: 'Plant Store 1.0.0',
    endpointTypes: [apigateway.EndpointType.REGIONAL],
    // The body's bytes reach the function untouched, as base64; as text, bytes that are no UTF-8 would be replaced.
    binaryMediaTypes: ['*/*'],
    // The access log needs the account's role, of which there is one for all APIs of a Region: it stays when this
    // stack goes, or every other API there would stop logging.
    cloudWatchRole: true,
    cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    deployOptions: {
      stageName: stage.name,
      throttlingRateLimit: stage.throttle.rate,
      throttlingBurstLimit: stage.throttle.burst,
      tracingEnabled: true,
      accessLogDestination: new apigateway.LogGroupLogDestination(logGroup),
      accessLogFormat: apigateway.AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FIELDS)),
      // Execution logs write request headers, to a log group of the gateway's own making that keeps them forever.
      loggingLevel: apigateway.MethodLoggingLevel.OFF,
    },
  });
  // The construct's own output has a generated name and a slash at its end; outputs.ts writes the base URL.
  rest.node.tryRemoveChild('Endpoint');
  const integration = new apigateway.LambdaIntegration(alias, {
    timeout: Duration.millis(GATEWAY_TIMEOUT_MS),
    allowTestInvoke: false,
  });
  const create = rest.root
    .addResource('plants')
    .addMethod('POST', integration, { authorizationType: apigateway.AuthorizationType.NONE });
  addGatewayAnswers(rest);
  acknowledgeApi(rest, create, stage);
  return { rest, logGroup };
}

function addGatewayAnswers(rest: apigateway.RestApi): void {
  for (const type of GATEWAY_RESPONSE_TYPES) {
    const { statusCode, headers, body } = gatewayAnswer(type, REQUEST_ID);
    const { 'content-type': contentType, ...others } = headers ?? {};
    // In a mapping a literal stands between single quotes, and a variable does not.
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
