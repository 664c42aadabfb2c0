import { type Json, only, resources, type Synth } from '../synth.ts';
import { change, each, type Policy } from './policy.ts';

const FILTER = 'AWS::Logs::MetricFilter';

/**
 * The AWS metrics that the alarms use, with the dimensions with which AWS reports them (Lambda Developer Guide,
 * "Types of metrics for Lambda functions"; DynamoDB Developer Guide, "DynamoDB metrics and dimensions"). With
 * other dimensions there is no data, and an alarm never fires.
 */
const REPORTED: Readonly<Record<string, readonly string[]>> = {
  'AWS/Lambda Invocations': ['FunctionName', 'FunctionName,Resource'],
  'AWS/Lambda Errors': ['FunctionName', 'FunctionName,Resource'],
  'AWS/Lambda Throttles': ['FunctionName', 'FunctionName,Resource'],
  'AWS/Lambda Duration': ['FunctionName', 'FunctionName,Resource'],
  'AWS/DynamoDB ThrottledRequests': ['Operation,TableName'],
  'AWS/DynamoDB SystemErrors': ['Operation,TableName'],
};

/** The metrics of an alarm, without the expressions that combine them. */
export function leafMetrics(alarm: Json): Json[] {
  if (alarm.Metrics === undefined) return [{ ...alarm, Stat: alarm.Statistic ?? alarm.ExtendedStatistic }];
  return alarm.Metrics.flatMap(({ MetricStat }: Json) =>
    MetricStat === undefined
      ? []
      : [{ ...MetricStat.Metric, Stat: MetricStat.Stat, Period: MetricStat.Period }],
  );
}

/** The metrics of an alarm that never have data, with their dimensions. */
export function metricsWithoutData(synth: Synth, alarm: Json): string[] {
  return leafMetrics(alarm).flatMap(({ Namespace, MetricName, Dimensions = [] }) => {
    const dimensions = Dimensions.map(({ Name }: Json) => Name)
      .sort()
      .join();
    const isOurs = dimensions === '' && isFiltered(synth, Namespace, MetricName);
    const isReported = REPORTED[`${Namespace} ${MetricName}`]?.includes(dimensions);
    return isOurs || isReported ? [] : [`${Namespace} ${MetricName} by [${dimensions}]`];
  });
}

function isFiltered(synth: Synth, namespace: string, name: string): boolean {
  return resources(synth, FILTER).some(([, { Properties }]) =>
    Properties.MetricTransformations.some(
      ({ MetricNamespace, MetricName }: Json) => MetricNamespace === namespace && MetricName === name,
    ),
  );
}

/** The operands of an alarm's expression that can lack data, which leaves the result without data. */
export function partsWithoutZero({ Metrics = [] }: Json): string[] {
  const expressions: string[] = Metrics.flatMap(({ Expression }: Json) => Expression ?? []);
  // Only invocations may be missing, because without them there is nothing to compare.
  const parts: string[] = Metrics.filter(
    ({ Id, MetricStat }: Json) => MetricStat && Id !== 'invocations',
  ).map(({ Id }: Json) => Id);
  return parts.filter((id) => !expressions.some((expression) => expression.includes(`FILL(${id}, 0)`)));
}

export const metricPolicies: Policy[] = [
  {
    says: 'metric filters count lines of a log group of this template, with 0 as the default and so without dimensions',
    violations: (synth) =>
      each(synth, FILTER, ({ Properties: { LogGroupName, MetricTransformations } }) => ({
        'its log group is in this template':
          synth.template.Resources[LogGroupName.Ref]?.Type === 'AWS::Logs::LogGroup',
        transformation: [
          { ...MetricTransformations[0], MetricName: undefined },
          {
            MetricName: undefined,
            MetricNamespace: `PlantStore/${synth.stage.name}`,
            MetricValue: '1',
            DefaultValue: 0,
          },
        ],
      })),
    mutations: [
      (synth) => {
        const dimensions = [{ Key: 'error', Value: '$.message.error' }];
        change(FILTER, 'Properties.MetricTransformations.0.Dimensions', dimensions)(synth);
      },
      change(FILTER, 'Properties.MetricTransformations.0.DefaultValue'),
      change(FILTER, 'Properties.LogGroupName', { Ref: 'Elsewhere' }),
    ],
  },
  {
    says: 'CloudWatch of this account may publish to the topic, TLS is required, and the e-mail address is subscribed',
    violations: (synth) => {
      const { Statement } = only(synth, 'AWS::SNS::TopicPolicy').Properties.PolicyDocument;
      const subscriptions = resources(synth, 'AWS::SNS::Subscription').map(
        ([, { Properties }]) => Properties,
      );
      const { alarmEmail } = synth.stage;
      return each(synth, 'AWS::SNS::TopicPolicy', () => ({
        statements: [
          Statement.map(({ Effect, Principal, Action, Condition }: Json) => [
            Effect,
            Principal,
            Action,
            Condition,
          ]),
          [
            ['Deny', '*', 'sns:Publish', { Bool: { 'aws:SecureTransport': 'false' } }],
            [
              'Allow',
              { Service: 'cloudwatch.amazonaws.com' },
              'sns:Publish',
              { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            ],
          ],
        ],
        subscriptions: [
          subscriptions.map(({ Protocol, Endpoint }) => `${Protocol} ${Endpoint}`),
          alarmEmail === undefined ? [] : [`email ${alarmEmail}`],
        ],
      }));
    },
    mutations: [
      change('AWS::SNS::TopicPolicy', 'Properties.PolicyDocument.Statement.0.Effect', 'Allow'),
      change('AWS::SNS::TopicPolicy', 'Properties.PolicyDocument.Statement.1.Condition'),
      ({ template: { Resources } }) => {
        const Properties = { Protocol: 'email', Endpoint: 'other@example.com' };
        Resources.Other = { Type: 'AWS::SNS::Subscription', Properties };
      },
    ],
  },
];
