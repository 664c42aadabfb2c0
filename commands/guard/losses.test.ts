import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { Duration, Tags } from 'aws-cdk-lib';
import { AuthorizationType, LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { expect, test } from 'vitest';
import type { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { EVERYTHING, type Json, synth } from '../../test/infra/synth.ts';
import { allowedChanges, TYPES } from './allowed.ts';
import {
  add,
  both,
  type Case,
  type Change,
  copy,
  idOf,
  lossesOf,
  PASSING,
  REFUSED,
  remove,
  rename,
  sections,
  set,
  TEMPLATE,
} from './changed-templates.ts';
import { findLosses } from './losses.ts';

const POLICY = 'FunctionRoleDefaultPolicy';
const ref = (name: string) => ({ Ref: name });
const allow = { Effect: 'Allow', Action: 'a:B', Resource: '*' };
const LAMBDA = 'arn:aws:lambda:eu-west-1:111122223333:function:a';
const deny = { Effect: 'Deny', Action: 'dynamodb:PutItem', Resource: '*' };
const policy = (Statement: Json, others: Json = {}) => ({
  PolicyDocument: { Statement },
  PolicyName: 'Same',
  Roles: [ref('FunctionRole')],
  ...others,
});
const addPolicy = (Statement: Json, others?: Json) =>
  add('Extra', 'AWS::IAM::Policy', policy(Statement, others));
const statements =
  (change: (list: Json[]) => unknown): Change =>
  (template) =>
    void change(template.Resources[idOf(template, POLICY)].Properties.PolicyDocument.Statement);
const parameter = (Default: string) => sections({ Parameters: { Kept: { Type: 'String', Default } } });
const condition = (value: string) => sections({ Conditions: { IsKept: { 'Fn::Equals': ['a', value] } } });
const mapping = (name: string) => sections({ Mappings: { Names: { prod: { name } } } });
const macro = { 'Fn::Transform': { Name: 'Macro' } };
const moreDays = set('AccessLogs', 'RetentionInDays', 3653);
/** A new version whose digest is another one, with changes of its own. */
const nextVersion =
  (attributes: Json): Change =>
  (template) => {
    const id = idOf(template, 'FunctionCurrentVersion');
    rename(id)(template);
    return Object.assign(template.Resources.Renamed, attributes);
  };

const ATTACKS: readonly Case[] = [
  ...REFUSED,
  ['the table gets another id', rename('Plants'), 'Plants'],
  ['a new table', add('Herbs', 'AWS::DynamoDB::GlobalTable'), 'Herbs'],
  [
    'the id of an attribute of every object',
    remove('constr'),
    'constr',
    add('constructor', 'AWS::SNS::Topic'),
  ],
  ['the type of such a name', add('Extra', 'constructor'), 'Extra'],
  ['an unknown type is removed', remove('Extra'), 'Extra', add('Extra', 'AWS::S3::Bucket')],
  ['an unknown type changes', set('Extra', 'Other', 2), 'Extra', add('Extra', 'AWS::KMS::Key', { Other: 1 })],
  ['a role becomes a key', add('Extra', 'AWS::KMS::Key'), 'Extra', add('Extra', 'AWS::IAM::Role')],
  ['a nested stack', add('Extra', 'AWS::CloudFormation::Stack'), 'Extra'],
  ['a custom resource', add('Extra', 'Custom::Anything'), 'Extra'],
  [
    'a deployment of the API that changes the stage',
    copyWith('ApiDeployment', { StageName: 'prod' }),
    'Extra',
  ],
  ['a version of another function', copyWith('FunctionCurrentVersion', { FunctionName: 'other' }), 'Extra'],
  ['versions that the next deployment deletes', nextVersion({ DeletionPolicy: 'Snapshot' }), 'Renamed'],
  // What gives access, takes an address or stands before the API.
  ['a firewall that blocks all', copyWith('Firewall', { DefaultAction: { Block: {} } }), 'Extra'],
  [
    'the same, as the first',
    add('Extra', 'AWS::WAFv2::WebACL', { DefaultAction: { Block: {} } }),
    'Extra',
    remove('Firewall'),
  ],
  ...['AAAA', 'NS', 'CAA'].map(
    (Type): Case => [`a record of the same name: ${Type}`, copyWith('DomainRecord', { Type }), 'Extra'],
  ),
  ['a second stage', copyWith('ApiDeploymentStage', { StageName: 'v2', MethodSettings: [] }), 'Extra'],
  ['everybody may call the function', copyWith('ApiplantsPOSTApiPermission', { Principal: '*' }), 'Extra'],
  [
    'another API may call it',
    copyWith('ApiplantsPOSTApiPermission', { SourceArn: 'arn:aws:execute-api:a:1:b/*' }),
    'Extra',
  ],
  ['any API may call it', copyWith('ApiplantsPOSTApiPermission', { SourceArn: null }), 'Extra'],
  [
    'a method that goes elsewhere',
    copyWith('ApiplantsPOST', { HttpMethod: 'GET', Integration: {} }),
    'Extra',
  ],
  [
    'a method that needs a key',
    copyWith('ApiplantsPOST', { HttpMethod: 'GET', ApiKeyRequired: true }),
    'Extra',
  ],
  ['a role', add('Extra', 'AWS::IAM::Role', { Policies: [policy({ ...allow, Action: '*' })] }), 'Extra'],
  ['a policy', addPolicy(allow), 'Extra'],
  ['a statement for each resource', statements((list) => list.push(allow)), POLICY],
  ['a subscription of a stranger', copyWith('AlarmTopicoperators', { Endpoint: 'x@example.net' }), 'Extra'],
  ['an address of the function', add('Extra', 'AWS::Lambda::Url', { AuthType: 'NONE' }), 'Extra'],
  // What there is only one of.
  [
    'a second policy of the same name',
    copyWith(POLICY, policy(allow, { PolicyName: 'FunctionRoleDefaultPolicy' })),
    'Extra',
  ],
  ['a second alarm of the same name', copyWith('Faults', { Threshold: 9 }), 'Extra'],
  ['a second setting of all APIs', copy('ApiAccount', 'Extra'), 'Extra'],
  ['a second firewall in the place of the first', copy('FirewallAssociation', 'Extra'), 'Extra'],
  [
    'a second policy of the topic',
    add('Extra', 'AWS::SNS::TopicPolicy', { PolicyDocument: { Statement: allow } }),
    'Extra',
  ],
  ['the association gets another id: both are removed', rename('FirewallAssociation'), 'FirewallAssociation'],
  [
    'the subscription gets another id: both are removed',
    rename('AlarmTopicoperators'),
    'AlarmTopicoperators',
  ],
  ['the policy of the topic gets another id', rename('AlarmTopicPolicy'), 'AlarmTopicPolicy'],
  ['a policy gets another id', rename('Extra'), 'Extra', addPolicy(allow)],
  // What alarms and commands read.
  ['a second filter for the metric of an alarm', copyWith('FaultsFilter', { FilterName: 'a' }), 'Extra'],
  ['an alarm that runs a function', copyWith('Faults', { AlarmName: 'a', AlarmActions: [LAMBDA] }), 'Extra'],
  [
    'a response of the gateway',
    add('Extra', 'AWS::ApiGateway::GatewayResponse', { ResponseType: 'A' }),
    'Extra',
  ],
  ['no time to retry after', header('ApiTHROTTLED', 'retry-after'), 'ApiTHROTTLED'],
  [
    'credentials for any origin',
    header('ApiTHROTTLED', 'access-control-allow-credentials', "'true'"),
    'ApiTHROTTLED',
  ],
  ['another host', output('BaseUrl', 'https://example.com'), 'The output BaseUrl'],
  ['another table', output('PlantsTable', ref('AccessTokens')), 'The output PlantsTable'],
  [
    'permissions of the role for deployments',
    remove('Extra'),
    'Extra',
    addPolicy(allow, { Roles: [ref('Other')] }),
  ],
  // Denials, without analysis.
  ['a Deny', addPolicy(deny), 'Extra'],
  [
    'a Deny by the literal name of the role',
    addPolicy(deny, { Roles: ['PlantStore-prod-FunctionRole-1'] }),
    'Extra',
  ],
  ['a Deny beside what is allowed', statements((list) => list.push(deny)), POLICY],
  ['a Deny in a new role', add('Extra', 'AWS::IAM::Role', { Policies: [policy(deny)] }), 'Extra'],
  ['a Deny that denies more', addPolicy(deny), 'Extra', addPolicy({ ...deny, Resource: 'arn:a' })],
  ['a permission that becomes a Deny', addPolicy(deny), 'Extra', addPolicy({ ...deny, Effect: 'Allow' })],
  ['a Deny for one more role', set('Extra', 'Roles', ['b', 'a']), 'Extra', addPolicy(deny, { Roles: ['a'] })],
  ['a Deny that is removed', remove('Extra'), 'Extra', addPolicy(deny)],
  ['an effect that only CloudFormation knows', addPolicy({ ...deny, Effect: ref('Kept') }), 'Extra'],
  ['a statement that only CloudFormation knows', addPolicy(ref('Kept')), 'Extra'],
  ['a document that only CloudFormation knows', addPolicy(0, { PolicyDocument: ref('Kept') }), 'Extra'],
  ['a document as a text', addPolicy(0, { PolicyDocument: JSON.stringify({ Statement: deny }) }), 'Extra'],
  // What only CloudFormation can read.
  ['a macro', sections({ Transform: 'Macro' }), 'Transform'],
  ['a harmless change with a macro', moreDays, 'Transform', sections({ Transform: 'Macro' })],
  ['another condition of the template', condition('b'), 'Conditions', condition('a')],
  ['conditions that a macro writes', sections({ Conditions: macro }), 'Conditions', condition('a')],
  ['a harmless change with a condition', moreDays, 'Conditions', condition('a')],
  ['another mapping', mapping('b'), 'Mappings', mapping('a')],
  ['another parameter', parameter('b'), 'Parameters', parameter('a')],
  ['a section that CloudFormation does not have yet', sections({ Hooks: {} }), 'Hooks'],
  ['properties that a macro writes', set('AccessLogs', '.Properties', macro), 'Fn::Transform'],
  ['a resource that a macro writes', set('AccessLogs', '.Transform', { Name: 'Macro' }), 'Transform'],
  ['a loop', set('AccessLogs', 'Tags', { 'Fn::ForEach::All': [] }), 'Fn::ForEach::All'],
  ['an alternative', set('Function', 'Code', { 'Fn::If': ['IsKept', 'a', 'b'] }), 'Fn::If'],
];

function copyWith(start: string, properties: Json): Change {
  return both(copy(start, 'Extra'), ({ Resources }) => Object.assign(Resources.Extra.Properties, properties));
}

function header(start: string, name: string, value?: string): Change {
  return ({ Resources }) =>
    Object.assign(Resources[start].Properties.ResponseParameters, {
      [`gatewayresponse.header.${name}`]: value,
    });
}

function output(name: string, Value: Json): Change {
  return ({ Outputs }) => Object.assign(Outputs[name], { Value });
}

test.each<Case>(ATTACKS)('refused: %s', (_, change, names = 'no name', prepare) => {
  const [line = ''] = lossesOf(change, prepare);
  expect(line.replace('The template has ', '').slice(0, names.length)).toBe(names);
});

test('a Deny is new permission text: a line names it, beside what its policy loses', () => {
  expect(lossesOf(addPolicy([deny]), addPolicy([allow]))).toEqual([
    'Extra (AWS::IAM::Policy): loses {"Effect":"Allow","Action":"a:B","Resource":"*"}; ' +
      'gains {"Effect":"Deny","Action":"dynamodb:PutItem","Resource":"*"}.',
  ]);
});

test('no resource may be removed, except those that each deployment replaces, and what holds nothing', () => {
  const silent = Object.keys(TEMPLATE.Resources).filter((id) => lossesOf(remove(id)).length === 0);
  expect(new Set(silent.map((id) => TEMPLATE.Resources[id].Type))).toEqual(
    new Set([
      'AWS::Lambda::Version',
      'AWS::ApiGateway::Deployment',
      'AWS::Logs::QueryDefinition',
      'AWS::CloudWatch::Dashboard',
    ]),
  );
});

const PASSES: readonly Case[] = [
  ...PASSING,
  ['nothing', () => true, ''],
  ['a new version, to which the alias moves', rename('FunctionCurrentVersion'), ''],
  ['a new deployment of the API', rename('ApiDeployment'), ''],
  ['a new alarm', copyWith('Faults', { AlarmName: 'a' })],
  ['a new log', add('Extra', 'AWS::Logs::LogGroup')],
  ['another dashboard beside it', add('Extra', 'AWS::CloudWatch::Dashboard', { DashboardName: 'a' })],
  ['statements in another order', statements((list) => list.reverse())],
  ['one statement as two', statements((list) => list.push({ ...list[3], Action: list[3].Action.pop() }))],
  [
    'a Deny that stays, also if the order of the work changes',
    set('Extra', '.DependsOn', ['Live']),
    '',
    addPolicy(deny),
  ],
  ['another name of a query', set('ErrorsQuery', 'Name', 'a')],
  [
    'another description of a parameter',
    ({ Parameters }) => Object.assign(Parameters.Kept, { Description: 'a' }),
    '',
    parameter('a'),
  ],
  [
    'another field of the access log',
    ({ Resources }) => {
      const { AccessLogSetting } = Resources.ApiDeploymentStageeverything.Properties;
      AccessLogSetting.Format = JSON.stringify({
        ...JSON.parse(AccessLogSetting.Format),
        path: '$context.path',
      });
    },
  ],
  ['a property that is null', add('Extra', 'AWS::Logs::LogGroup', { LogGroupName: null })],
  ['sections that change no resource', sections({ AWSTemplateFormatVersion: 'a', Rules: {}, Metadata: {} })],
  [
    'a harmless change beside a parameter',
    moreDays,
    '',
    both(parameter('a'), set('Plants', 'TableName', ref('Kept'))),
  ],
  [
    'a template with a condition and a macro, unchanged',
    () => true,
    '',
    both(condition('a'), sections({ Transform: 'A' })),
  ],
];

test.each<Case>(PASSES)('passes: %s', (_, change, __, prepare) => {
  expect(lossesOf(change, prepare)).toEqual([]);
});

test('what stands beside a reference is not lost from sight', () => {
  const name = (Kept: number) =>
    add('Extra', 'AWS::SNS::Topic', { TopicName: { Fn: { Ref: 'Plants', Kept } } });
  expect(lossesOf(name(2), name(1))).toHaveLength(1);
});

test.each<[what: string, change: (stack: PlantStoreStack) => void]>([
  ['a tag on everything', (stack) => Tags.of(stack).add('team', 'plants')],
  [
    'a method of a new path',
    ({ node }) => {
      const api = node.findChild('Api') as RestApi;
      const options = { timeout: Duration.seconds(29), allowTestInvoke: false };
      const integration = new LambdaIntegration(node.findChild('Live') as Alias, options);
      const { NONE: authorizationType } = AuthorizationType;
      api.root
        .resourceForPath('plants')
        .addResource('{id}')
        .addMethod('GET', integration, { authorizationType });
    },
  ],
])('what the CDK makes of a change passes: %s', (_, change) => {
  const { template } = synth(EVERYTHING, change);
  expect(JSON.stringify(template)).not.toBe(JSON.stringify(TEMPLATE));
  expect(findLosses(TEMPLATE, template)).toEqual([]);
});

test("by AWS's data, no property that may change replaces its resource", () => {
  const known = loadAwsServiceSpecSync()
    .all('resource')
    .filter(({ cloudFormationType }) => Object.hasOwn(TYPES, cloudFormationType));
  const replacing = known.flatMap(({ cloudFormationType: type, properties }) => {
    const names = Object.keys(allowedChanges(type)).map((path) => path.split('.')[1] ?? '');
    return names
      .filter((name) => properties[name]?.causesReplacement === 'yes')
      .map((name) => `${type} ${name}`);
  });
  expect(known.length).toBe(Object.keys(TYPES).length);
  expect(replacing).toEqual([]);
});

test.each<[what: string, change: Change, line: string]>([
  [
    'what is deleted',
    remove('Live'),
    'Live (AWS::Lambda::Alias) would be removed from the stack and deleted.',
  ],
  [
    'what is left behind, and what may be the same under another id',
    rename('Plants'),
    'Plants (AWS::DynamoDB::GlobalTable) would be removed from the stack and left behind, unused; new: Renamed (was the id of a construct changed?).',
  ],
  [
    'each change',
    both(set('Live', 'Name', 'new'), set('Live', 'Description', null), set('Live', 'New', '\u009b\nb')),
    'Live (AWS::Lambda::Alias): Name changes from "live" to "new"; New changes from nothing to "\\u009b\\nb".',
  ],
  [
    'which permissions are lost',
    statements((list) => list.splice(0, 1)),
    `FunctionRoleDefaultPolicy (AWS::IAM::Policy): loses {"Effect":"Allow","Action":"dynamodb:PutItem","Resource":"\${Plants.Arn}"}.`,
  ],
])('a line says %s', (_, change, line) => {
  expect(lossesOf(change)[0]).toBe(line);
});

test.each<[what: string, one: Change, other: Change]>([
  ['what is new', add('Extra', 'Custom::A', { a: 1 }), add('Extra', 'Custom::A', { a: 2 })],
  ['what denies', addPolicy(deny), addPolicy({ ...deny, Action: 'a:B' })],
  ['what a macro may rewrite', sections({ Transform: 'A' }), sections({ Transform: 'B' })],
])('a line has a digest of what it leaves out: %s', (_, one, other) => {
  const [[first = ''], [second = '']] = [lossesOf(one), lossesOf(other)];
  expect(first).toMatch(/ \[[0-9a-f]{12}\]$/);
  expect(second.slice(0, -14)).toBe(first.slice(0, -14));
  expect(second).not.toBe(first);
});
