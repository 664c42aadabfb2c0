import { readFileSync } from 'node:fs';
import type { Stage } from '../../../infra/stage-settings.ts';
import { type Json, resources } from '../synth.ts';
import { differ, every, find, type Policy, without } from './policy.ts';

const ALARM = 'AWS::CloudWatch::Alarm';

/**
 * Every alarm: its metrics, threshold, and number of periods. The metrics of AWS have the dimensions with which AWS
 * reports them (Lambda Developer Guide, "Types of metrics for Lambda functions"; DynamoDB Developer Guide, "DynamoDB
 * metrics and dimensions"). With other dimensions there is no data, and an alarm never fires. Nor does it fire if one
 * metric of an expression has no data, so each has FILL, except invocations: without them nothing can be compared.
 */
const alarmsOf = ({ name, aboveNormal: { refusedTokens, throttled } }: Stage) => ({
  // Faults and FunctionErrors roll back a deployment. With longer periods they might miss a canary of 10 minutes.
  Faults: `PlantStore/${name} Faults Sum 60 s, from 1 in 1 of 1`,
  StoreUnavailable: `PlantStore/${name} Unavailable Sum 300 s, from 3 in 1 of 1`,
  Throttled: `PlantStore/${name} Throttled Sum 300 s, from ${throttled} in 1 of 1`,
  RefusedTokens: `PlantStore/${name} RefusedTokens Sum 300 s, from ${refusedTokens} in 1 of 1`,
  NotCompleted:
    // At many requests per second, some always straddle two periods: fewer than one in a thousand.
    'IF(invocations - FILL(answered, 0) >= invocations / 1000, invocations - FILL(answered, 0), 0), ' +
    'invocations = AWS/Lambda Invocations by FunctionName Sum 300 s, ' +
    `answered = PlantStore/${name} Answered Sum 300 s, from 3 in 2 of 3`,
  GatewayErrors: `PlantStore/${name} GatewayErrors Sum 300 s, from 1 in 1 of 1`,
  FunctionErrors: 'AWS/Lambda Errors by FunctionName,Resource Sum 60 s, from 1 in 1 of 1',
  FunctionThrottles: 'AWS/Lambda Throttles by FunctionName Sum 300 s, from 1 in 1 of 1',
  // The store's time budget; Lambda ends the function at 6,000 ms.
  SlowRequests: 'AWS/Lambda Duration by FunctionName,Resource p99 300 s, from 3500 in 2 of 3',
  TableThrottles: `${ofBothTables('ThrottledRequests')}, from ${throttled} in 1 of 1`,
  TableErrors: `${ofBothTables('SystemErrors')}, from 3 in 1 of 1`,
});

function ofBothTables(name: string): string {
  const metric = `AWS/DynamoDB ${name} by Operation,TableName Sum 300 s`;
  return `FILL(put${name}, 0) + FILL(get${name}, 0), put${name} = ${metric}, get${name} = ${metric}`;
}

function summary(alarm: Json): string {
  const parts = (alarm.Metrics ?? [alarm]).map(({ Id, Expression, MetricStat, ...simple }: Json) => {
    if (Expression !== undefined) return Expression;
    const { Namespace, MetricName, Dimensions = [] } = MetricStat?.Metric ?? simple;
    const { Stat = simple.Statistic ?? simple.ExtendedStatistic, Period } = MetricStat ?? simple;
    const names: string[] = Dimensions.map(({ Name }: Json) => Name).sort();
    const by = names.length > 0 ? ` by ${names}` : '';
    return `${Id ? `${Id} = ` : ''}${Namespace} ${MetricName}${by} ${Stat} ${Period} s`;
  });
  return `${parts.join(', ')}, from ${alarm.Threshold} in ${alarm.DatapointsToAlarm} of ${alarm.EvaluationPeriods}`;
}

const DESCRIPTION = /^Impact: [A-Z].{20,}\. What to do: docs\/runbook\.md#([\w-]+)$/;
const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
  title.toLowerCase().replaceAll(' ', '-'),
);

export const alarmPolicies: Policy[] = [
  {
    says: 'the alarms are the required ones, with their metrics, thresholds and periods, and each can fire',
    violations: (synth) => {
      const required = Object.entries(alarmsOf(synth.stage));
      return [
        ...differ('number of alarms', resources(synth, ALARM).length, required.length),
        ...required.flatMap(([id, text]) => [
          ...differ(
            id,
            find(synth, id)
              .map(([, { Properties }]) => summary(Properties))
              .join(),
            text,
          ),
          ...every(synth, id, {
            AlarmName: `PlantStore-${synth.stage.name}-${id}`,
            ComparisonOperator: 'GreaterThanOrEqualToThreshold',
            TreatMissingData: 'notBreaching',
          }),
        ]),
      ];
    },
    mutants: [
      without(ALARM),
      ['FunctionErrors', 'MetricName', '5XXError'],
      ['FunctionErrors', 'AlarmName', 'Errors'],
      ['Faults', 'Period', 300],
      ['FunctionErrors', 'Statistic', 'Average'],
      ['NotCompleted', 'DatapointsToAlarm', 1],
      ['RefusedTokens', 'Threshold', 1],
      ['SlowRequests', 'Threshold', 6_000],
      ['Faults', 'Namespace', 'PlantStore'],
      ['Faults', 'Dimensions', [{ Name: 'Stage', Value: 'prod' }]],
      ['NotCompleted', 'Metrics.0.Expression', 'invocations - answered'],
      ['TableErrors', 'Metrics.1.MetricStat.Metric.Dimensions', []],
      ['Throttled', 'ComparisonOperator', 'LessThanThreshold'],
      ['Throttled', 'TreatMissingData', 'missing'],
    ],
  },
  {
    says: 'every alarm names its impact and an existing section of the runbook, and notifies the topic',
    violations: (synth) => [
      ...every(synth, ALARM, () => {
        const topic = [{ Ref: resources(synth, 'AWS::SNS::Topic')[0]?.[0] }];
        return { AlarmActions: topic, OKActions: topic };
      }),
      ...resources(synth, ALARM).flatMap(
        ([
          id,
          {
            Properties: { AlarmDescription },
          },
        ]) => {
          const [, section = ''] = DESCRIPTION.exec(AlarmDescription) ?? [];
          return sections.includes(section)
            ? []
            : [`"${AlarmDescription}" of ${id} names no section of the runbook`];
        },
      ),
    ],
    mutants: [
      ['Faults', 'AlarmDescription', 'Too many errors'],
      ['Throttled', 'AlarmDescription', 'Impact: It is slow for many. What to do: docs/runbook.md#no'],
      ['TableErrors', 'AlarmActions'],
      ['TableErrors', 'OKActions'],
    ],
  },
];
