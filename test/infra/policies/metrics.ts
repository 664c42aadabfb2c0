import { type Json, only, resources, type Synth } from '../synth.ts';
import { differ, every, type Policy } from './policy.ts';

const FILTER = 'AWS::Logs::MetricFilter';
const TOPIC_POLICY = 'AWS::SNS::TopicPolicy';

/**
 * The AWS metrics that the alarms use, with the dimensions with which AWS reports them (Lambda Developer Guide,
 * "Types of metrics for Lambda functions"; DynamoDB Developer Guide, "DynamoDB metrics and dimensions"). With
 * other dimensions there is no data, and an alarm never fires.
 */
const REPORTED = [
  /^AWS\/Lambda (Invocations|Errors|Throttles|Duration) by FunctionName(,Resource)?$/,
  /^AWS\/DynamoDB (ThrottledRequests|SystemErrors) by Operation,TableName$/,
];

/** The metrics of an alarm, without the expressions that combine them. */
export function leafMetrics(alarm: Json): Json[] {
  if (alarm.Metrics === undefined) return [{ ...alarm, Stat: alarm.Statistic ?? alarm.ExtendedStatistic }];
  return alarm.Metrics.flatMap(({ MetricStat }: Json) =>
    MetricStat ? [{ ...MetricStat.Metric, ...MetricStat }] : [],
  );
}

/** The metrics of an alarm that never have data, with their dimensions. */
export function metricsWithoutData(synth: Synth, alarm: Json): string[] {
  const counted = resources(synth, FILTER).map(([, { Properties }]) => {
    const [{ MetricNamespace, MetricName }] = Properties.MetricTransformations;
    return `${MetricNamespace} ${MetricName} by `;
  });
  return leafMetrics(alarm)
    .map(({ Namespace, MetricName, Dimensions = [] }) => {
      const names: string[] = Dimensions.map(({ Name }: Json) => Name);
      return `${Namespace} ${MetricName} by ${names.sort()}`;
    })
    .filter((name) => !counted.includes(name) && !REPORTED.some((pattern) => pattern.test(name)));
}

/** The operands of an alarm's expression that can lack data, which leaves the result without data. */
export function partsWithoutZero({ Metrics = [] }: Json): string[] {
  const expressions: string[] = Metrics.flatMap(({ Expression }: Json) => Expression ?? []);
  // Only invocations may be missing, because without them there is nothing to compare.
  const parts = Metrics.filter(({ Id, MetricStat }: Json) => MetricStat && Id !== 'invocations');
  return parts
    .map(({ Id }: Json) => Id)
    .filter((id: string) => !expressions.some((expression) => expression.includes(`FILL(${id}, 0)`)));
}

export const metricPolicies: Policy[] = [
  {
    says: 'metric filters count lines of a log group of this template, with 0 as the default and so without dimensions',
    violations: (synth) => [
      ...every(synth, FILTER, ({ MetricTransformations: [{ MetricName }] }) => ({
        MetricTransformations: [
          {
            MetricName,
            MetricNamespace: `PlantStore/${synth.stage.name}`,
            MetricValue: '1',
            DefaultValue: 0,
          },
        ],
      })),
      ...resources(synth, FILTER).flatMap(([id, { Properties }]) => {
        const group = Properties.LogGroupName.Ref;
        return differ(
          `type of ${group}, the log group of ${id},`,
          synth.template.Resources[group]?.Type,
          'AWS::Logs::LogGroup',
        );
      }),
    ],
    mutants: [
      [FILTER, 'MetricTransformations.0.Dimensions', [{ Key: 'error', Value: '$.message.error' }]],
      [FILTER, 'MetricTransformations.0.DefaultValue'],
      [FILTER, 'LogGroupName', { Ref: 'Elsewhere' }],
    ],
  },
  {
    says: 'CloudWatch of this account may publish to the topic, TLS is required, and the e-mail address is subscribed',
    violations: (synth) => {
      const { Statement } = only(synth, TOPIC_POLICY).Properties.PolicyDocument;
      const subscriptions = resources(synth, 'AWS::SNS::Subscription').map(
        ([, { Properties }]) => Properties,
      );
      const { alarmEmail } = synth.stage;
      return [
        ...differ(
          'list of statements',
          Statement.map((each: Json) => [each.Effect, each.Principal, each.Action, each.Condition]),
          [
            ['Deny', '*', 'sns:Publish', { Bool: { 'aws:SecureTransport': 'false' } }],
            [
              'Allow',
              { Service: 'cloudwatch.amazonaws.com' },
              'sns:Publish',
              { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            ],
          ],
        ),
        ...differ(
          'list of subscriptions',
          subscriptions.map(({ Protocol, Endpoint }) => `${Protocol} ${Endpoint}`),
          alarmEmail === undefined ? [] : [`email ${alarmEmail}`],
        ),
      ];
    },
    mutants: [
      [TOPIC_POLICY, 'PolicyDocument.Statement.0.Effect', 'Allow'],
      [TOPIC_POLICY, 'PolicyDocument.Statement.1.Condition'],
      ({ template: { Resources } }) => {
        const Properties = { Protocol: 'email', Endpoint: 'other@example.com' };
        Resources.Other = { Type: 'AWS::SNS::Subscription', Properties };
      },
    ],
  },
];
