import type { Stage } from '../../../infra/stage-settings.ts';

/** A metric as a dashboard writes it: namespace, name, and each dimension with its value. */
export type Metric = readonly string[];

/**
 * The metrics of a stage, each with the dimensions with which AWS reports it (Lambda Developer Guide, "Types of metrics for
 * Lambda functions"; DynamoDB Developer Guide, "DynamoDB metrics and dimensions"; API Gateway Developer Guide, "Amazon API
 * Gateway dimensions and metrics"). With other dimensions there is no data, and an alarm never fires.
 */
export function metricsIn(stage: Stage) {
  const counted = (name: string) => [`PlantStore/${stage.name}`, name];
  const ofFunction = (name: string) => ['AWS/Lambda', name, 'FunctionName', '{Function}'];
  // What clients call; a version that is not deployed yet does not count.
  const ofAlias = (name: string) => [...ofFunction(name), 'Resource', '{Function}:live'];
  const ofApi = (name: string) => ['AWS/ApiGateway', name, 'ApiName', `PlantStore-${stage.name}`];
  const ofTable = (name: string, table: string) => ['AWS/DynamoDB', name, 'TableName', table];
  const ofPuts = (name: string) => ['AWS/DynamoDB', name, 'Operation', 'PutItem', 'TableName', '{Plants}'];
  const ofGets = (name: string) => [
    'AWS/DynamoDB',
    name,
    'Operation',
    'GetItem',
    'TableName',
    '{AccessTokens}',
  ];
  return {
    responded: counted('Responses'),
    accepted: counted('Accepted'),
    faults: counted('Faults'),
    unavailable: counted('Unavailable'),
    throttled: counted('Throttled'),
    refusedTokens: counted('RefusedTokens'),
    unknownTokens: counted('UnknownTokens'),
    validTokens: counted('ValidTokens'),
    gatewayErrors: counted('GatewayErrors'),
    invocations: ofFunction('Invocations'),
    functionErrors: ofAlias('Errors'),
    functionThrottles: ofFunction('Throttles'),
    functionDuration: ofAlias('Duration'),
    functionTime: ofFunction('Duration'),
    requests: ofApi('Count'),
    latency: ofApi('Latency'),
    putThrottles: ofPuts('ThrottledRequests'),
    getThrottles: ofGets('ThrottledRequests'),
    putErrors: ofPuts('SystemErrors'),
    getErrors: ofGets('SystemErrors'),
    writeUnits: ofTable('ConsumedWriteCapacityUnits', '{Plants}'),
    readUnits: ofTable('ConsumedReadCapacityUnits', '{AccessTokens}'),
  };
}

/** A value computed from metrics, each with the id that the expression gives it. */
export interface Expression {
  readonly expression: string;
  readonly label: string;
  readonly parts: Readonly<Record<string, Metric>>;
}

/** The expressions of a stage. Most have FILL, for metrics that may have no data. */
export function expressionsIn(stage: Stage) {
  const metrics = metricsIn(stage);
  return {
    notCompleted: {
      // Without invocations, nothing can be compared. At many requests per second, some always straddle two periods: fewer
      // than one in a thousand.
      expression:
        'IF(invocations - FILL(responded, 0) >= invocations / 1000, invocations - FILL(responded, 0), 0)',
      label: 'Requests without a log line',
      parts: { invocations: metrics.invocations, responded: metrics.responded },
    },
    unknownTokens: {
      // Without FILL: both metrics have data for the same minutes, those with a line in the log.
      expression: 'IF(valid > 0, 0, unknown)',
      label: 'Unknown tokens, and no valid one',
      parts: { unknown: metrics.unknownTokens, valid: metrics.validTokens },
    },
    tableThrottles: {
      expression: 'FILL(putThrottledRequests, 0) + FILL(getThrottledRequests, 0)',
      label: 'Calls refused by a table',
      parts: { putThrottledRequests: metrics.putThrottles, getThrottledRequests: metrics.getThrottles },
    },
    tableErrors: {
      expression: 'FILL(putSystemErrors, 0) + FILL(getSystemErrors, 0)',
      label: 'Calls that failed in DynamoDB',
      parts: { putSystemErrors: metrics.putErrors, getSystemErrors: metrics.getErrors },
    },
    silence: {
      expression: 'FILL(accepted, 0)',
      label: 'Plants accepted',
      parts: { accepted: metrics.accepted },
    },
  };
}
