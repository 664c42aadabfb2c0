import { type Deployed, type Json, resources } from './deployed.ts';

/**
 * The metrics of AWS that we look at, with the dimensions under which AWS reports them (Lambda Developer Guide, "Types
 * of metrics for Lambda functions"; DynamoDB Developer Guide, "DynamoDB metrics and dimensions"). Under any other set
 * of dimensions there is never any data, and an alarm stays silent.
 */
const REPORTED: Readonly<Record<string, readonly string[]>> = {
  'AWS/Lambda Invocations': ['FunctionName', 'FunctionName,Resource'],
  'AWS/Lambda Errors': ['FunctionName', 'FunctionName,Resource'],
  'AWS/Lambda Throttles': ['FunctionName', 'FunctionName,Resource'],
  'AWS/Lambda Duration': ['FunctionName', 'FunctionName,Resource'],
  'AWS/DynamoDB ThrottledRequests': ['Operation,TableName'],
  'AWS/DynamoDB SystemErrors': ['Operation,TableName'],
};

/** The metrics under an alarm, without the arithmetic that joins them. */
export function leafMetrics(alarm: Json): Json[] {
  if (alarm.Metrics === undefined) return [{ ...alarm, Stat: alarm.Statistic ?? alarm.ExtendedStatistic }];
  return alarm.Metrics.flatMap(({ MetricStat }: Json) =>
    MetricStat === undefined
      ? []
      : [{ ...MetricStat.Metric, Stat: MetricStat.Stat, Period: MetricStat.Period }],
  );
}

/** Why the metrics of an alarm might never have data; empty when they will. */
export function problemsWithMetric(deployed: Deployed, alarm: Json): string[] {
  return [
    ...leafMetrics(alarm).flatMap((metric) => problemsWithLeaf(deployed, metric)),
    ...holesIn(alarm.Metrics ?? []),
  ];
}

function problemsWithLeaf(
  deployed: Deployed,
  { Namespace, MetricName, Dimensions = [], Stat }: Json,
): string[] {
  const dimensions = Dimensions.map(({ Name }: Json) => Name)
    .sort()
    .join();
  const reported =
    REPORTED[`${Namespace} ${MetricName}`] ?? (isFiltered(deployed, Namespace, MetricName) ? [''] : []);
  const expected = MetricName === 'Duration' ? 'p99' : 'Sum';
  return [
    ...(reported.includes(dimensions) ? [] : [`${Namespace} ${MetricName} is reported by [${dimensions}]`]),
    ...(Stat === expected ? [] : [`${MetricName} is looked at by ${expected}`]),
  ];
}

function isFiltered(deployed: Deployed, namespace: string, name: string): boolean {
  return resources(deployed, 'AWS::Logs::MetricFilter').some(([, { Properties }]) =>
    Properties.MetricTransformations.some(
      ({ MetricNamespace, MetricName }: Json) => MetricNamespace === namespace && MetricName === name,
    ),
  );
}

/** Parts of the arithmetic that may be missing on their own and would take the whole result with them. */
function holesIn(metrics: readonly Json[]): string[] {
  const expressions: string[] = metrics.flatMap(({ Expression }) => Expression ?? []);
  // Without invocations there is nothing to compare, so only they may be missing.
  const mayBeMissing = metrics
    .filter(({ Id, MetricStat }) => MetricStat && Id !== 'invocations')
    .map(({ Id }) => Id);
  return mayBeMissing
    .filter((id) => !expressions.some((expression) => expression.includes(`FILL(${id}, 0)`)))
    .map((id) => `${id} is filled with zeros`);
}
