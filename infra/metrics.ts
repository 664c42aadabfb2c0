import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITableV2, Operation } from 'aws-cdk-lib/aws-dynamodb';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Api } from './api.ts';
import type { PlantFunction } from './function.ts';
import { type GatewayResponseType, gatewayResponseTypes } from './gateway-answers.ts';
import type { Stage } from './stages.ts';
import type { Tables } from './tables.ts';

const ONE_MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

/** Everything that the alarms and the dashboard look at. */
export type Metrics = ReturnType<typeof makeMetrics>;

/**
 * Makes the metrics. Because every failure is a 400, those of the gateway cannot tell them apart: ours are counted
 * from the function's line about each request and from the gateway's access log.
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
      // A zero for each period with other lines, so that graphs have no holes. Metrics with dimensions cannot have it.
      defaultValue: 0,
    }).metric({ statistic: Stats.SUM, period: FIVE_MINUTES });
  const lines = (name: string, pattern: string) => count(name, plantFunction.logGroup, pattern);
  const byGateway = (name: string, condition: (error: number) => boolean, metricName?: string) =>
    count(name, api.logGroup, anyResponseType(gatewayResponseTypes(condition)), metricName);

  const answered = lines('Answered', '{ $.message.outcome = "*" }');
  const throttled = lines('Throttled', '{ $.message.error = 42901 }');
  // A second filter that adds to the same metric: to a client it is the same answer, whoever throttled.
  byGateway('ThrottledByGateway', (error) => error === 42901, 'Throttled');
  return {
    answered,
    created: lines('Created', '{ $.message.outcome = "created" || $.message.outcome = "repeated" }'),
    // By the minute, like the function's errors: these two take a new version back.
    faults: lines('Faults', '{ $.message.error >= 50000 && $.message.error != 50301 }').with({
      period: ONE_MINUTE,
    }),
    unavailable: lines('Unavailable', '{ $.message.error = 50301 }'),
    refusedTokens: lines('RefusedTokens', '{ $.message.error = 40102 }'),
    throttled,
    gatewayErrors: byGateway('GatewayErrors', (error) => error >= 50000),
    notCompleted: notCompleted(plantFunction, answered),
    ...lambdaMetrics(plantFunction),
    ...tableMetrics(tables),
    requests: api.rest.metricCount({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    latency: api.rest.metricLatency({ period: FIVE_MINUTES, statistic: 'p99' }),
  };
}

function anyResponseType(types: readonly GatewayResponseType[]): string {
  return `{ ${types.map((type) => `$.responseType = "${type}"`).join(' || ')} }`;
}

function notCompleted({ current }: PlantFunction, answered: Metric): IMetric {
  return new MathExpression({
    label: 'Requests not completed',
    // When no invocation gets as far as its line, that metric has no data at all, and without FILL neither has this.
    expression: 'invocations - FILL(answered, 0)',
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
  // DynamoDB reports both per operation only: without that dimension there is never any data.
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
