import { type Deployed, type Json, only, resources } from '../deployed.ts';
import { broken, each, type Policy, same } from './policy.ts';

const FILTER = 'AWS::Logs::MetricFilter';
const TOPIC_POLICY = 'AWS::SNS::TopicPolicy';

function firstFilter(deployed: Deployed): Json {
  return resources(deployed, FILTER)[0]?.[1].Properties.MetricTransformations[0];
}

export const seeingPolicies: Policy[] = [
  {
    says: 'metric filters count lines of a log group of this template, with a zero and so without dimensions',
    violations: (deployed) =>
      each(deployed, FILTER, ({ Properties: { LogGroupName, MetricTransformations } }) => ({
        'a log group of this template':
          deployed.template.Resources[LogGroupName.Ref]?.Type === 'AWS::Logs::LogGroup',
        'counts one for each line':
          MetricTransformations.length === 1 && MetricTransformations[0].MetricValue === '1',
        'a zero otherwise': MetricTransformations[0].DefaultValue === 0,
        'no dimensions': MetricTransformations[0].Dimensions === undefined,
        'the namespace of the stage':
          MetricTransformations[0].MetricNamespace === `PlantStore/${deployed.stage.name}`,
      })),
    mutations: [
      (d) => {
        firstFilter(d).Dimensions = [{ Key: 'error', Value: '$.message.error' }];
      },
      (d) => delete firstFilter(d).DefaultValue,
    ],
  },
  {
    says: 'CloudWatch of this account may publish to the topic, nobody may without TLS, and the e-mail is subscribed',
    violations: (deployed) => {
      const statements: Json[] = only(deployed, TOPIC_POLICY).Properties.PolicyDocument.Statement;
      const endpoints = resources(deployed, 'AWS::SNS::Subscription').map(
        ([, { Properties }]) => Properties.Endpoint,
      );
      return broken(
        {
          'CloudWatch may': statements.some(
            ({ Effect, Principal, Condition }) =>
              Effect === 'Allow' &&
              Principal.Service === 'cloudwatch.amazonaws.com' &&
              same(Condition, { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } }),
          ),
          'not without TLS': statements.some(
            ({ Effect, Condition }) =>
              Effect === 'Deny' && Condition.Bool?.['aws:SecureTransport'] === 'false',
          ),
          'who is told': same(
            endpoints,
            [deployed.stage.alarmEmail].flatMap((email) => email ?? []),
          ),
        },
        'topic',
      );
    },
    mutations: [
      (d) => only(d, TOPIC_POLICY).Properties.PolicyDocument.Statement.pop(),
      (d) => only(d, TOPIC_POLICY).Properties.PolicyDocument.Statement.shift(),
      (d) => {
        d.template.Resources.Other = {
          Type: 'AWS::SNS::Subscription',
          Properties: { Endpoint: 'other@example.com' },
        };
      },
    ],
  },
  {
    says: 'the dashboard asks, from top to bottom: is it up, who is hurt, why, what does it cost',
    violations: (deployed) =>
      each(deployed, 'AWS::CloudWatch::Dashboard', ({ Properties }) => {
        const headings = [...JSON.stringify(Properties.DashboardBody).matchAll(/# ([^"\\]+\?)/g)].map(
          ([, text]) => text,
        );
        return {
          'these questions': same(headings, ['Is it up?', 'Who is hurt?', 'Why?', 'What does it cost?']),
        };
      }),
    mutations: [
      (d) => {
        only(d, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody = '{"widgets":[]}';
      },
    ],
  },
];
