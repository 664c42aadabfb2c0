import { describe, expect, test } from 'vitest';
import { EVERYTHING, PROTECTED } from '../../support/test-stages.ts';
import { copyOf, type Json, propertiesOf, rolesOf, type Synth } from '../synth.ts';

const synth = copyOf(PROTECTED);
const allow = (Action: string | string[], others: object) => ({ Action, Effect: 'Allow', ...others });
const document = (...Statement: object[]) => ({ Statement, Version: '2012-10-17' });
const trust = (service: string) =>
  document(allow('sts:AssumeRole', { Principal: { Service: `${service}.amazonaws.com` } }));
const ofAws = (name: string) => ({
  ManagedPolicyArns: [`arn:{AWS::Partition}:iam::aws:policy/service-role/${name}`],
});

test('each role is for one service, and only those of CodeDeploy and of the gateway have a policy of AWS', () => {
  const { FunctionRole, ApiCloudWatchRole, DeploymentServiceRole } = rolesOf(synth);
  expect({ FunctionRole, ApiCloudWatchRole, DeploymentServiceRole }).toEqual({
    FunctionRole: { AssumeRolePolicyDocument: trust('lambda') },
    ApiCloudWatchRole: {
      AssumeRolePolicyDocument: trust('apigateway'),
      ...ofAws('AmazonAPIGatewayPushToCloudWatchLogs'),
    },
    DeploymentServiceRole: {
      AssumeRolePolicyDocument: trust('codedeploy'),
      ...ofAws('AWSCodeDeployRoleForLambdaLimited'),
    },
  });
});

/** What the function may do: an action, and a resource. */
const PERMISSIONS = [
  // Its calls of the tables.
  'dynamodb:PutItem {Plants.Arn}',
  'dynamodb:GetItem {AccessTokens.Arn}',
  // Its own log.
  'logs:CreateLogStream {FunctionLogs.Arn}',
  'logs:PutLogEvents {FunctionLogs.Arn}',
  // X-Ray has no resource types.
  'xray:PutTelemetryRecords *',
  'xray:PutTraceSegments *',
];

test('the function may make its calls of the tables, write its own log and send traces, and nothing else', () => {
  const policies: Json[] = Object.values(propertiesOf(synth, 'AWS::IAM::Policy'));
  const [{ PolicyDocument }, ...others] = policies.filter(({ Roles }) => Roles.includes('{FunctionRole}'));
  expect(others).toEqual([]);
  const permissions = PolicyDocument.Statement.flatMap(({ Action, Resource, ...others }: Json) => {
    expect(others).toEqual({ Effect: 'Allow' });
    return [Action].flat().flatMap((action) => [Resource].flat().map((resource) => `${action} ${resource}`));
  });
  expect(permissions.sort()).toEqual(PERMISSIONS.toSorted());
});

test('with a key of its own, the function may also decrypt with that one through DynamoDB alone, and the topic is encrypted with it', () => {
  const actionsOf = (each: Synth): string[] =>
    propertiesOf(each, 'AWS::IAM::Policy').FunctionRoleDefaultPolicy.PolicyDocument.Statement.flatMap(
      ({ Action, Resource, Condition }: Json) =>
        `${Action}`.startsWith('kms:') ? [Action, Resource, JSON.stringify(Condition)] : Action,
    );
  const everything = copyOf(EVERYTHING);
  expect(actionsOf(everything).sort()).toEqual(
    [
      ...actionsOf(synth),
      'kms:Decrypt',
      EVERYTHING.keyArn,
      '{"StringLike":{"kms:ViaService":"dynamodb.{AWS::Region}.*"}}',
    ].sort(),
  );
  expect(propertiesOf(everything, 'AWS::SNS::Topic').AlarmTopic.KmsMasterKeyId).toBe(EVERYTHING.keyArn);
});

test('only API Gateway may call the alias, and only for this API', () => {
  const permissions = Object.values(propertiesOf(synth, 'AWS::Lambda::Permission')).filter(
    ({ FunctionName }) => FunctionName === '{Live}',
  );
  const api = 'arn:{AWS::Partition}:execute-api:{AWS::Region}:{AWS::AccountId}:{Api}/';
  const allowed = {
    Action: 'lambda:InvokeFunction',
    FunctionName: '{Live}',
    Principal: 'apigateway.amazonaws.com',
    SourceArn: expect.stringContaining(`${api}{ApiDeploymentStageproduction}/`),
  };
  const methods = Object.keys(propertiesOf(synth, 'AWS::ApiGateway::Method'));
  expect(permissions).toEqual(methods.map(() => allowed));
});

describe('the topic of the alarms', () => {
  test('accepts messages of CloudWatch of this account, by TLS only', () => {
    const publish = { Action: 'sns:Publish', Resource: '{AlarmTopic}' };
    const { AlarmTopicPolicy, ...others } = propertiesOf(synth, 'AWS::SNS::TopicPolicy');
    expect(others).toEqual({});
    expect(AlarmTopicPolicy.Topics).toEqual(['{AlarmTopic}']);
    expect(AlarmTopicPolicy.PolicyDocument.Statement).toEqual([
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
    ]);
  });

  test('sends an email to the address of the stage, and to nobody without one', () => {
    expect(propertiesOf(synth, 'AWS::SNS::Subscription')).toEqual({});
    const Endpoint = 'operators@example.com';
    expect(Object.values(propertiesOf(copyOf(EVERYTHING), 'AWS::SNS::Subscription'))).toEqual([
      { Endpoint, Protocol: 'email', TopicArn: '{AlarmTopic}' },
    ]);
  });
});
