import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITableV2, Operation } from 'aws-cdk-lib/aws-dynamodb';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ERRORS, type ErrorName } from '../lambda/answer/errors.ts';
import type { Api } from './api.ts';
import type { PlantFunction } from './function.ts';
import { responseTypesFor } from './gateway-answers.ts';
import type { Stage } from './stage-settings.ts';
import type { Tables } from './tables.ts';

const ONE_MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

/** Every metric of the alarms and the dashboard. */
export type Metrics = ReturnType<typeof makeMetrics>;

/**
 * Makes the metrics. Every failure is a 400, so the gateway's own metrics cannot distinguish failures. These count the
 * function's log lines, one per request, and the lines of the gateway's access log.
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
      // 0 in periods with other lines only, so that graphs have no gaps. Not allowed together with dimensions.
      defaultValue: 0,
    }).metric({ statistic: Stats.SUM, period: FIVE_MINUTES });
  const lines = (name: string, pattern: string) => count(name, plantFunction.logGroup, pattern);
  const byGateway = (name: string, errors: readonly ErrorName[], metricName?: string) =>
    count(name, api.logGroup, isAnsweredBy(errors), metricName);

  const answered = lines('Answered', '{ $.message.outcome = "*" }');
  const throttled = lines('Throttled', `{ ${is('TOO_MANY_REQUESTS')} }`);
  // A second filter for the same metric: the table's throttle and the gateway's give clients the same error.
  byGateway('ThrottledByGateway', ['TOO_MANY_REQUESTS'], 'Throttled');
  return {
    answered,
    created: lines('Created', '{ $.message.outcome = "created" || $.message.outcome = "repeated" }'),
    // Per minute, like the function's errors: these two metrics roll a deployment back.
    faults: lines('Faults', `{ $.message.outcome = "failed" && ${is('UNAVAILABLE', '!=')} }`).with({
      period: ONE_MINUTE,
    }),
    unavailable: lines('Unavailable', `{ ${is('UNAVAILABLE')} }`),
    refusedTokens: lines('RefusedTokens', `{ ${is('INVALID_TOKEN')} }`),
    throttled,
    gatewayErrors: byGateway('GatewayErrors', ['SERVICE_FAULT', 'UNAVAILABLE', 'NO_ANSWER']),
    notCompleted: notCompleted(plantFunction, answered),
    ...lambdaMetrics(plantFunction),
    ...tableMetrics(tables),
    requests: api.rest.metricCount({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    latency: api.rest.metricLatency({ period: FIVE_MINUTES, statistic: 'p99' }),
  };
}

/** A term of a pattern: the function's line has this error, or (`!=`) another one. */
function is(name: ErrorName, operator: '=' | '!=' = '='): string {
  return `$.message.error ${operator} ${ERRORS[name].error}`;
}

/** A pattern for the access log: the gateway itself answered with one of these errors. */
function isAnsweredBy(errors: readonly ErrorName[]): string {
  const terms = responseTypesFor(...errors).map((type) => `$.responseType = "${type}"`);
  return `{ ${terms.join(' || ')} }`;
}

/**
 * Lambda counts an invocation in the period in which it starts, and its log line comes when it ends. So a difference
 * below one in a thousand may be requests between two periods, and counts as none.
 */
function notCompleted({ current }: PlantFunction, answered: Metric): IMetric {
  // If no invocation writes its line, `answered` has no data; without FILL the difference would have none either.
  const missing = 'invocations - FILL(answered, 0)';
  return new MathExpression({
    label: 'Requests without a log line',
    expression: `IF(${missing} >= invocations / 1000, ${missing}, 0)`,
    usingMetrics: {
      invocations: current.metricInvocations({ period: FIVE_MINUTES, statistic: Stats.SUM }),
      answered,
    },
    period: FIVE_MINUTES,
  });
}

function lambdaMetrics({ current, alias }: PlantFunction) {
  const sum = { period: FIVE_MINUTES, statistic: Stats.SUM };
  return {
    functionErrors: alias.metricErrors({ ...sum, period: ONE_MINUTE }),
    functionThrottles: current.metricThrottles(sum),
    functionDuration: alias.metricDuration({ period: FIVE_MINUTES, statistic: 'p99' }),
    functionTime: current.metricDuration(sum),
    invocations: current.metricInvocations(sum),
  };
}

function tableMetrics({ plants, accessTokens }: Tables) {
  const sum = { period: FIVE_MINUTES, statistic: Stats.SUM };
  const ofOperation = (table: ITableV2, name: string, Operation: Operation) =>
    table.metric(name, { ...sum, dimensionsMap: { TableName: table.tableName, Operation } });
  // DynamoDB reports both metrics only with the dimension Operation.
  const inBoth = (name: string, label: string) =>
    new MathExpression({
      label,
      expression: `FILL(put${name}, 0) + FILL(get${name}, 0)`,
      usingMetrics: {
        [`put${name}`]: ofOperation(plants, name, Operation.PUT_ITEM),
        [`get${name}`]: ofOperation(accessTokens, name, Operation.GET_ITEM),
      },
      period: FIVE_MINUTES,
    });
  return {
    tableThrottles: inBoth('ThrottledRequests', 'Calls refused by a table'),
    tableErrors: inBoth('SystemErrors', 'Calls that failed in DynamoDB'),
    writeUnits: plants.metricConsumedWriteCapacityUnits(sum),
    readUnits: accessTokens.metricConsumedReadCapacityUnits(sum),
  };
}
