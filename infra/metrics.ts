import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ErrorName } from '../lambda/errors.ts';
import { ERRORS } from '../lambda/published-errors.ts';
import { isRefusedBy } from './access-log.ts';
import type { Api } from './api.ts';
import { blockedRequests } from './firewall.ts';
import type { PlantFunction } from './function.ts';
import type { Stage } from './stage-settings.ts';
import { tableCalls } from './table-calls.ts';
import type { Tables } from './tables.ts';

const FIVE_MINUTES = Duration.minutes(5);
const SUM = { statistic: Stats.SUM, period: FIVE_MINUTES };
const P90 = { statistic: 'p90', period: FIVE_MINUTES };
const P99 = { statistic: 'p99', period: FIVE_MINUTES };
/** For the metrics whose alarms roll a deployment back. */
const EACH_MINUTE = { statistic: Stats.SUM, period: Duration.minutes(1) };

/** Every metric of the alarms and the dashboard. */
export type Metrics = ReturnType<typeof makeMetrics>;

/**
 * Makes the metrics. Every failure is a 400, so the gateway's own metrics cannot distinguish failures. Metric filters
 * count the function's log lines, one per request, and the lines of the gateway's access log instead.
 */
export function makeMetrics(
  scope: Construct,
  stage: Stage,
  parts: { tables: Tables; plantFunction: PlantFunction; api: Api },
) {
  const { tables, plantFunction, api } = parts;
  const count = (name: string, logGroup: ILogGroup, pattern: string, metricName = name) =>
    new MetricFilter(scope, `${name}Filter`, {
      logGroup,
      filterPattern: FilterPattern.literal(pattern),
      metricNamespace: `PlantStore/${stage.name}`,
      metricName,
      metricValue: '1',
      // 0 in periods that have only other lines, so that graphs have no gaps. Not allowed together with dimensions.
      defaultValue: 0,
    }).metric(SUM);
  const lines = (name: string, pattern: string) => count(name, plantFunction.logGroup, pattern);
  const byGateway = (name: string, errors: readonly ErrorName[], metricName?: string) =>
    count(name, api.logGroup, isRefusedBy(errors), metricName);

  const { TOO_MANY_REQUESTS, UNAVAILABLE, NO_RESPONSE, INVALID_TOKEN } = ERRORS;
  const requests = api.rest.metricCount(SUM);
  // The construct's own `metricIncomingLogEvents` has another name, and no dimension (CloudWatch Logs User Guide, "Monitoring with
  // CloudWatch metrics").
  const logged = new Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingLogEvents',
    dimensionsMap: { LogGroupName: api.logGroup.logGroupName },
    ...SUM,
  });
  const responded = lines('Responses', '{ $.message.outcome = "*" }');
  const throttled = lines('Throttled', `{ $.message.error = ${TOO_MANY_REQUESTS.error} }`);
  // Second filters for the same metrics: the table's throttle and the gateway's give clients the same error, and so do our faults.
  byGateway('ThrottledByGateway', ['TOO_MANY_REQUESTS'], 'Throttled');
  byGateway('FaultsOfGateway', ['SERVICE_FAULT'], 'Faults');
  return {
    responded,
    accepted: lines(
      'Accepted',
      '{ $.message.outcome = "created" || $.message.outcome = "repeated" || $.message.outcome = "created-or-repeated" }',
    ),
    // What does not pass by itself.
    faults: lines(
      'Faults',
      `{ $.message.outcome = "failed" && $.message.error != ${UNAVAILABLE.error} && $.message.error != ${NO_RESPONSE.error} }`,
    ).with(EACH_MINUTE),
    unanswered: lines('Unanswered', `{ $.message.error = ${NO_RESPONSE.error} }`).with(EACH_MINUTE),
    unavailable: lines(
      'Unavailable',
      `{ $.message.error = ${UNAVAILABLE.error} || $.message.error = ${NO_RESPONSE.error} }`,
    ),
    refused: lines('Refused', '{ $.message.outcome = "refused" }'),
    refusedTokens: lines('RefusedTokens', `{ $.message.error = ${INVALID_TOKEN.error} }`),
    // 0 if any had a valid token, even for a refused plant. Without FILL: every line of the log gives both metrics a value (CloudWatch
    // Logs User Guide, "Creating metrics from log events using filters", default value).
    unknownTokens: new MathExpression({
      label: 'Unknown tokens, and no valid one',
      expression: 'IF(valid > 0, 0, unknown)',
      usingMetrics: {
        unknown: lines('UnknownTokens', '{ $.message.fault = "unknown token" }'),
        valid: lines('ValidTokens', '{ $.message.token = "*" }'),
      },
      period: FIVE_MINUTES,
    }),
    throttled,
    retried: lines('Retried', '{ $.message.attempts > 1 }'),
    gatewayErrors: byGateway('GatewayErrors', ['UNAVAILABLE', 'NO_RESPONSE']),
    gatewayNotLogged: new MathExpression({
      label: "Requests without any line of the gateway's log",
      // Not the difference: API Gateway may leave out lines of many refusals by its throttle (API Gateway Developer Guide, "Monitor REST
      // APIs in API Gateway").
      expression: 'IF(FILL(logged, 0) > 0, 0, requests)',
      usingMetrics: { logged, requests },
      period: FIVE_MINUTES,
    }),
    ...lambdaMetrics(plantFunction, responded),
    ...tableMetrics(tables),
    blocked: blockedRequests(stage),
    requests,
    latency: api.rest.metricLatency(P99),
  };
}

/**
 * The plants accepted within so many minutes; 0 if there is no data. Without FILL, CloudWatch would look for data further back
 * before it treats any as missing, and an alarm with one long period would fire some periods late (CloudWatch User Guide,
 * "Configuring how CloudWatch alarms treat missing data").
 */
export function acceptedWithin(minutes: number, accepted: Metric): MathExpression {
  return new MathExpression({
    label: 'Plants accepted',
    expression: 'FILL(accepted, 0)',
    usingMetrics: { accepted },
    period: Duration.minutes(minutes),
  });
}

function lambdaMetrics({ current, alias }: PlantFunction, responded: Metric) {
  const invocations = current.metricInvocations(SUM);
  // If no invocation writes its line, `responded` has no data. It then counts as 0: see `tableMetrics`.
  // What crashed or timed out has no line either, and GatewayErrors pages for it.
  const missing = '(invocations - FILL(responded, 0) - FILL(errors, 0))';
  return {
    notCompleted: new MathExpression({
      label: 'Requests without a log line, that did not crash',
      // Lambda counts an invocation when it starts, and its line is written when it ends. So one missing in a thousand
      // may fall between two periods.
      expression: `IF(${missing} >= invocations / 1000, ${missing}, 0)`,
      usingMetrics: { invocations, responded, errors: current.metricErrors(SUM) },
      period: FIVE_MINUTES,
    }),
    functionErrors: alias.metricErrors(EACH_MINUTE),
    functionThrottles: current.metricThrottles(SUM),
    functionDuration: alias.metricDuration(P99),
    usualDuration: alias.metricDuration(P90),
    functionTime: current.metricDuration(SUM),
    invocations,
  };
}

/**
 * DynamoDB reports a refused or failed call only when there is one, so that some of the metrics may never have existed. An alarm fires
 * nevertheless: arithmetic counts a missing value as 0 (CloudWatch User Guide, "Using math expressions with CloudWatch metrics").
 * FILL lets it clear: an alarm on these metrics may ignore missing data and keep its state (API reference, PutMetricAlarm,
 * `TreatMissingData`).
 */
function tableMetrics(tables: Tables) {
  // DynamoDB reports both metrics only with the dimension Operation.
  const inAll = (name: string, label: string) => {
    const metrics = tableCalls(tables).map(({ table, operation: Operation }) =>
      table.metric(name, { ...SUM, dimensionsMap: { TableName: table.tableName, Operation } }),
    );
    const ids = metrics.map((_, n) => `calls${n}${name}`);
    return new MathExpression({
      label,
      expression: ids.map((id) => `FILL(${id}, 0)`).join(' + '),
      usingMetrics: Object.fromEntries(metrics.map((metric, n) => [ids[n], metric])),
      period: FIVE_MINUTES,
    });
  };
  const units = {
    writeUnits: tables.plants.metricConsumedWriteCapacityUnits(SUM),
    tokenReadUnits: tables.accessTokens?.metricConsumedReadCapacityUnits(SUM),
  };
  return {
    tableThrottles: inAll('ThrottledRequests', 'Calls refused by a table'),
    tableErrors: inAll('SystemErrors', 'Calls that failed in DynamoDB'),
    ...units,
  };
}
