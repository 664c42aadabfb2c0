import { resources } from '../synth.ts';
import { apiStageOf, arn, differ, every, type Policy, plain } from './policy.ts';

const PERMISSION = 'AWS::Lambda::Permission';

/** A role that only one service of AWS may assume. */
const roleFor = (service: string, managedPolicy?: string) => ({
  AssumeRolePolicyDocument: document(
    allow('sts:AssumeRole', { Principal: { Service: `${service}.amazonaws.com` } }),
  ),
  ManagedPolicyArns: managedPolicy && [`arn:{AWS::Partition}:iam::aws:policy/service-role/${managedPolicy}`],
});

const allow = (Action: string | string[], others: object) => ({ Action, Effect: 'Allow', ...others });
const document = (...Statement: object[]) => ({ Statement, Version: '2012-10-17' });

export const permissionPolicies: Policy[] = [
  {
    says: 'each role is for one service; only those of CodeDeploy and the logs of the gateway have a policy of AWS',
    violations: (synth) => [
      ...every(synth, 'FunctionRole', roleFor('lambda')),
      ...every(synth, 'ApiCloudWatchRole', roleFor('apigateway', 'AmazonAPIGatewayPushToCloudWatchLogs')),
      ...every(synth, 'ApiAccount', { CloudWatchRoleArn: '{ApiCloudWatchRole.Arn}' }),
      ...every(synth, 'DeploymentServiceRole', roleFor('codedeploy', 'AWSCodeDeployRoleForLambdaLimited')),
    ],
  },
  {
    says: 'the function may put plants, get access tokens, write its own log and send traces, and nothing else',
    violations: (synth) => {
      return every(synth, 'AWS::IAM::Policy', {
        PolicyDocument: document(
          allow('dynamodb:PutItem', { Resource: '{Plants.Arn}' }),
          allow('dynamodb:GetItem', { Resource: '{AccessTokens.Arn}' }),
          allow(['logs:CreateLogStream', 'logs:PutLogEvents'], { Resource: '{FunctionLogs.Arn}' }),
          // X-Ray has no resource types.
          allow(['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], { Resource: '*' }),
        ),
        PolicyName: 'FunctionRoleDefaultPolicy',
        Roles: ['{FunctionRole}'],
      });
    },
  },
  {
    says: 'only API Gateway may call the alias, and only for the methods of this API',
    violations: (synth) => {
      const stage = apiStageOf(synth.stage);
      const routes = ['/*/', '/*/*', '/*/plants', '/POST/plants'];
      return [
        ...every(synth, PERMISSION, ({ SourceArn }) => ({
          Action: 'lambda:InvokeFunction',
          FunctionName: '{Live}',
          Principal: 'apigateway.amazonaws.com',
          SourceArn,
        })),
        ...differ(
          'methods that may call the alias',
          resources(synth, PERMISSION)
            .map(([, { Properties }]) => plain(synth, Properties.SourceArn))
            .sort(),
          routes.map((route) => arn(synth.stage, 'execute-api', `{Api}/${stage}${route}`)),
        ),
      ];
    },
  },
  {
    says: 'CloudWatch of this account may publish to the topic, TLS is required, and the email address is subscribed',
    violations: (synth) => {
      const publish = { Action: 'sns:Publish', Resource: '{AlarmTopic}' };
      const { alarmEmail } = synth.stage;
      return [
        ...every(synth, 'AWS::SNS::Topic', { DisplayName: `Plant Store ${synth.stage.name}` }),
        ...every(synth, 'AWS::SNS::TopicPolicy', {
          PolicyDocument: document(
            {
              ...publish,
              Effect: 'Deny',
              Principal: '*',
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
              Sid: 'AllowPublishThroughSSLOnly',
            },
            {
              ...publish,
              Effect: 'Allow',
              Principal: { Service: 'cloudwatch.amazonaws.com' },
              Condition: { StringEquals: { 'aws:SourceAccount': '{AWS::AccountId}' } },
              Sid: '1',
            },
          ),
          Topics: ['{AlarmTopic}'],
        }),
        ...(alarmEmail === undefined
          ? []
          : every(synth, 'AWS::SNS::Subscription', {
              Endpoint: alarmEmail,
              Protocol: 'email',
              TopicArn: '{AlarmTopic}',
            })),
      ];
    },
  },
];
