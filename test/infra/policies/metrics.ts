import { resources } from '../synth.ts';
import { differ, every, type Policy } from './policy.ts';

const FILTER = 'AWS::Logs::MetricFilter';
const TOPIC_POLICY = 'AWS::SNS::TopicPolicy';
const SUBSCRIPTION = 'AWS::SNS::Subscription';

export const metricPolicies: Policy[] = [
  {
    says: 'metric filters count lines of a log group of this template, have the default value 0, and so no dimensions',
    violations: (synth) => {
      const MetricNamespace = `PlantStore/${synth.stage.name}`;
      const groups = [{ Ref: 'FunctionLogsAE28C13D' }, { Ref: 'AccessLogs8B620ECA' }];
      return every(synth, FILTER, ({ LogGroupName, MetricTransformations: [{ MetricName }] }) => ({
        LogGroupName: groups.find(({ Ref }) => Ref === LogGroupName.Ref),
        MetricTransformations: [{ MetricName, MetricNamespace, MetricValue: '1', DefaultValue: 0 }],
      }));
    },
    mutants: [
      [FILTER, 'MetricTransformations.0.Dimensions', [{ Key: 'error', Value: '$.message.error' }]],
      [FILTER, 'MetricTransformations.0.DefaultValue'],
      [FILTER, 'LogGroupName', { Ref: 'Elsewhere' }],
    ],
  },
  {
    says: 'CloudWatch of this account may publish to the topic, TLS is required, and the e-mail address is subscribed',
    violations: (synth) => {
      const { alarmEmail: Endpoint } = synth.stage;
      const topic = { Action: 'sns:Publish', Resource: { Ref: 'AlarmTopicD01E77F9' } };
      const ofAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
      const withoutTls = { Bool: { 'aws:SecureTransport': 'false' } };
      const cloudWatch = { Service: 'cloudwatch.amazonaws.com' };
      return [
        ...every(synth, TOPIC_POLICY, ({ PolicyDocument: { Statement } }) => ({
          'PolicyDocument.Statement': [
            { ...topic, Effect: 'Deny', Principal: '*', Condition: withoutTls, Sid: Statement[0].Sid },
            { ...topic, Effect: 'Allow', Principal: cloudWatch, Condition: ofAccount, Sid: Statement[1].Sid },
          ],
        })),
        ...differ('number of subscriptions', resources(synth, SUBSCRIPTION).length, Endpoint ? 1 : 0),
        ...(Endpoint ? every(synth, SUBSCRIPTION, { Protocol: 'email', Endpoint }) : []),
      ];
    },
    mutants: [
      [TOPIC_POLICY, 'PolicyDocument.Statement.0.Effect', 'Allow'],
      [TOPIC_POLICY, 'PolicyDocument.Statement.1.Condition'],
      ({ template: { Resources } }) => {
        const Properties = { Protocol: 'email', Endpoint: 'other@example.com' };
        Resources.Other = { Type: SUBSCRIPTION, Properties };
      },
    ],
  },
];
