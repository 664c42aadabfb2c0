import { isDeepStrictEqual } from 'node:util';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { Duration, Tags } from 'aws-cdk-lib';
import { AuthorizationType, LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { expect, test } from 'vitest';
import { EVERYTHING, type Json, synth } from '../../test/infra/synth.ts';
import { allowedChanges, TYPES } from './allowed.ts';
import {
  add,
  both,
  type Case,
  type Change,
  copyWith,
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
const LAMBDA = 'arn:aws:lambda:eu-west-1:111122223333:function:a';
const statements =
  (change: (list: Json[]) => unknown): Change =>
  (template) =>
    void change(template.Resources[idOf(template, POLICY)].Properties.PolicyDocument.Statement);
const header =
  (name: string, value?: string): Change =>
  ({ Resources: { ApiTHROTTLED } }) =>
    Object.assign(ApiTHROTTLED.Properties.ResponseParameters, { [`gatewayresponse.header.${name}`]: value });
const output =
  (name: string, Value: Json): Change =>
  ({ Outputs }) =>
    Object.assign(Outputs[name], { Value });
const logged =
  (fields: Json): Change =>
  (template) => {
    const { AccessLogSetting } = template.Resources[idOf(template, 'ApiDeploymentStage')].Properties;
    AccessLogSetting.Format = JSON.stringify({ ...JSON.parse(AccessLogSetting.Format), ...fields });
  };
const parameter = (Default: string) => sections({ Parameters: { Kept: { Type: 'String', Default } } });
const condition = (value: string) => sections({ Conditions: { IsKept: { 'Fn::Equals': ['a', value] } } });
const named = (Kept: number) =>
  add('Extra', 'AWS::SNS::Topic', { TopicName: { Fn: { Ref: 'Plants', Kept } } });
const macro = { 'Fn::Transform': { Name: 'Macro' } };
const moreDays = set('AccessLogs', 'RetentionInDays', 3653);

const ATTACKS: readonly Case[] = [
  ...REFUSED,
  ['the id of a part of every object', remove('constr'), 'constr', add('constructor', 'AWS::SNS::Topic')],
  ['the type of such a name', add('Extra', 'constructor'), 'Extra'],
  ['a type that is not known', add('Extra', 'Custom::Anything'), 'Extra'],
  // New ones that differ from what they are like.
  ['another deployment for another stage', copyWith('ApiDeployment', { StageName: 'prod' }), 'Extra'],
  ['a version of another function', copyWith('FunctionCurrentVersion', { FunctionName: 'other' }), 'Extra'],
  [
    'a version that the next deployment deletes',
    both(copyWith('FunctionCurrentVersion'), set('Extra', '.DeletionPolicy', 'Snapshot')),
    'Extra',
  ],
  ['everybody may call the function', copyWith('ApiplantsPOSTApiPermission', { Principal: '*' }), 'Extra'],
  ['another API may call it', copyWith('ApiplantsPOSTApiPermission', { SourceArn: 'arn:b/*' }), 'Extra'],
  ['any API may call it', copyWith('ApiplantsPOSTApiPermission', { SourceArn: null }), 'Extra'],
  ['a method elsewhere', copyWith('ApiplantsPOST', { HttpMethod: 'GET', Integration: {} }), 'Extra'],
  ['a method with a key', copyWith('ApiplantsPOST', { HttpMethod: 'GET', ApiKeyRequired: true }), 'Extra'],
  ['a second alarm of the same name', copyWith('Faults', { Threshold: 9 }), 'Extra'],
  ['an alarm that runs a function', copyWith('Faults', { AlarmName: 'a', AlarmActions: [LAMBDA] }), 'Extra'],
  // What clients, alarms and commands read.
  ['a field of the access log less', logged({ responseType: undefined }), 'ApiDeploymentStage'],
  ['another meaning of a field', logged({ responseType: '$context.path' }), 'ApiDeploymentStage'],
  ['tokens in the access log', logged({ message: '$context.error.message' }), 'ApiDeploymentStage'],
  ['no time to retry after', header('retry-after'), 'ApiTHROTTLED'],
  ['credentials for any origin', header('access-control-allow-credentials', "'true'"), 'ApiTHROTTLED'],
  ['another host', output('BaseUrl', 'https://example.com'), 'The output BaseUrl'],
  ['another table', output('PlantsTable', ref('AccessTokens')), 'The output PlantsTable'],
  ['what stands beside a reference', named(2), 'Extra', named(1)],
  // What only CloudFormation can read.
  ['a statement by reference', statements((list) => list.push(ref('Kept'))), POLICY],
  ['a harmless change with a macro', moreDays, 'Transform', sections({ Transform: 'Macro' })],
  ['another condition of the template', condition('b'), 'Conditions', condition('a')],
  ['a harmless change with a condition', moreDays, 'Conditions', condition('a')],
  ['another parameter', parameter('b'), 'Parameters', parameter('a')],
  ['a section that CloudFormation does not have yet', sections({ Hooks: {} }), 'Hooks'],
  ['properties that a macro writes', set('AccessLogs', '.Properties', macro), 'Fn::Transform'],
  ['a resource that a macro writes', set('AccessLogs', '.Transform', { Name: 'Macro' }), 'Transform'],
  ['a loop', set('AccessLogs', 'Tags', { 'Fn::ForEach::All': [] }), 'Fn::ForEach::All'],
  ['an alternative', set('Function', 'Code', { 'Fn::If': ['IsKept', 'a', 'b'] }), 'Fn::If'],
];

test.each<Case>(ATTACKS)('refused: %s', (_, change, names = 'no name', prepare) => {
  const [line = ''] = lossesOf(change, prepare);
  expect(line.replace('The template has ', '').slice(0, names.length)).toBe(names);
});

const { Resources } = TEMPLATE;
const typesOf = (ids: string[]) => new Set(ids.map((id) => Resources[id].Type.replace('AWS::', '')));
const silent = (Changed: Json, name = (id: string) => id) => {
  const listed = findLosses(TEMPLATE, { ...TEMPLATE, Resources: Changed }).map(({ id }) => id);
  return typesOf(Object.keys(Resources).filter((id) => !listed.includes(name(id))));
};

test('no resource may be removed, except what each deployment replaces, and what holds nothing', () => {
  const types = [
    'Lambda::Version',
    'ApiGateway::Deployment',
    'Logs::QueryDefinition',
    'CloudWatch::Dashboard',
  ];
  expect(silent({})).toEqual(new Set(types));
});

test('no resource may stand there twice, except what gives no access, takes no address and holds nothing', () => {
  const name = (id: string) => `New${id}`;
  const copies = Object.fromEntries(Object.entries(Resources).map(([id, each]) => [name(id), each]));
  expect(silent({ ...Resources, ...copies }, name)).toEqual(
    new Set([
      ...['ApiGateway::Deployment', 'ApiGateway::Method', 'ApiGateway::Resource', 'CloudWatch::Dashboard'],
      ...['Lambda::Permission', 'Lambda::Version', 'Logs::LogGroup', 'Logs::QueryDefinition'],
    ]),
  );
});

const WAYS: Readonly<Record<string, (parent: Json, key: string) => unknown>> = {
  becomes: (parent, key) => {
    const { [key]: value } = parent;
    parent[key] = typeof value === 'boolean' ? !value : typeof value === 'number' ? value + 1 : 'another';
  },
  goes: (parent, key) => (Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key]),
  grows: (parent, key) => {
    if (Array.isArray(parent[key])) parent[key].push('new');
    else if (typeof parent[key] === 'object') parent[key].New = 'new';
  },
};

/** The paths in a resource that may change alone, each with the way; only the path if it may become another value and go. */
function mayChange(resource: Json, path: readonly string[] = ['resource']): string[] {
  const before = { resource };
  const ways = Object.keys(WAYS).filter((way) => {
    const after = structuredClone(before);
    WAYS[way]?.(
      path.slice(0, -1).reduce((parent: Json, key) => parent[key], after),
      path.at(-1) ?? '',
    );
    const isChanged = after.resource !== undefined && !isDeepStrictEqual(before, after);
    return isChanged && findLosses({ Resources: before }, { Resources: after }).length === 0;
  });
  const name = path
    .slice(1)
    .join('.')
    .replaceAll(/^Properties\.|gatewayresponse\.header\./g, '')
    .replaceAll(/\.\d+/g, '.*');
  if (ways.includes('becomes') && ways.includes('goes')) return [name];
  const value = path.reduce((parent: Json, key) => parent[key], before);
  const inside = typeof value === 'object' ? Object.keys(value) : [];
  return [
    ...ways.map((way) => `${name} ${way}`),
    ...inside.flatMap((key) => mayChange(resource, [...path, key])),
  ];
}

test('of all parts of all resources, only these may become another value, go or grow', () => {
  const all = Object.values<Json>(Resources);
  const namesOf = (type: string) =>
    [...new Set(all.filter(({ Type }) => Type === type).flatMap((each) => mayChange(each)))]
      .sort()
      .join(', ');
  const types = [...new Set(all.map(({ Type }) => Type))].filter((type) => namesOf(type) !== '');
  expect(Object.fromEntries(types.map((type) => [type.replace('AWS::', ''), namesOf(type)]))).toEqual({
    'ApiGateway::Account': 'DependsOn',
    'ApiGateway::Deployment': 'DependsOn, Description, Metadata',
    'ApiGateway::DomainName': 'RegionalCertificateArn becomes',
    'ApiGateway::GatewayResponse':
      'ResponseParameters.access-control-allow-origin, ResponseParameters.access-control-expose-headers, ' +
      'ResponseParameters.vary, ResponseTemplates',
    'ApiGateway::RestApi': 'Description, Name',
    'ApiGateway::Stage':
      'DependsOn, DeploymentId.Ref becomes, MethodSettings.*.ThrottlingBurstLimit becomes, ' +
      'MethodSettings.*.ThrottlingRateLimit becomes, TracingEnabled',
    'CloudWatch::Alarm': 'ActionsEnabled goes, AlarmDescription, Metrics.*.Label, Threshold becomes',
    'CloudWatch::Dashboard': ' grows, Properties',
    'CodeDeploy::DeploymentGroup': 'AlarmConfiguration.Alarms grows, AutoRollbackConfiguration.Events grows',
    'DynamoDB::GlobalTable':
      'Replicas.*.ReadOnDemandThroughputSettings.MaxReadRequestUnits becomes, ' +
      'WriteOnDemandThroughputSettings.MaxWriteRequestUnits becomes',
    'Lambda::Alias': 'Description, FunctionVersion.Fn::GetAtt.* becomes',
    'Lambda::Function':
      'Architectures, Code, DependsOn, Description, Environment.Variables grows, ' +
      'Environment.Variables.ALLOWED_ORIGINS, Handler, MemorySize becomes, ReservedConcurrentExecutions, ' +
      'Runtime, Timeout becomes, TracingConfig',
    'Lambda::Version': 'Metadata',
    // Without a retention, entries stay for ever; the template has no other property of a log.
    'Logs::LogGroup': 'RetentionInDays',
    'Logs::QueryDefinition': ' grows, Properties',
    'WAFv2::WebACL': 'Rules.*.Statement.RateBasedStatement.Limit becomes',
  });
});

const PASSES: readonly Case[] = [
  ...PASSING,
  ['a new version, to which the alias moves', rename('FunctionCurrentVersion')],
  ['a new deployment of the API', rename('ApiDeployment')],
  ['a new alarm', copyWith('Faults', { AlarmName: 'a' })],
  ['statements in another order', statements((list) => list.reverse())],
  ['one statement as two', statements((list) => list.push({ ...list[3], Action: list[3].Action.pop() }))],
  [
    'another description of a parameter',
    ({ Parameters }) => Object.assign(Parameters.Kept, { Description: 'a' }),
    '',
    parameter('a'),
  ],
  ['a new field of the access log', logged({ path: '$context.path' })],
  ['a property that is null', add('Extra', 'AWS::Logs::LogGroup', { LogGroupName: null })],
  ['sections that change no resource', sections({ AWSTemplateFormatVersion: 'a', Rules: {}, Metadata: {} })],
  [
    'a harmless change beside a parameter',
    moreDays,
    '',
    both(parameter('a'), set('Plants', 'TableName', ref('Kept'))),
  ],
  ['what cannot be judged, unchanged', () => true, '', both(condition('a'), sections({ Transform: 'A' }))],
];

test.each<Case>(PASSES)('passes: %s', (_, change, __, prepare) => {
  expect(lossesOf(change, prepare)).toEqual([]);
});

test('what the CDK makes of a tag on everything, and of a method of a new path, passes', () => {
  const { template } = synth(EVERYTHING, (stack) => {
    Tags.of(stack).add('team', 'plants');
    const api = stack.node.findChild('Api') as RestApi;
    const options = { timeout: Duration.seconds(29), allowTestInvoke: false };
    const integration = new LambdaIntegration(stack.node.findChild('Live') as Alias, options);
    const path = api.root.resourceForPath('plants').addResource('{id}');
    path.addMethod('GET', integration, { authorizationType: AuthorizationType.NONE });
  });
  const text = JSON.stringify(template);
  expect([text.includes('"team"'), text.includes('"{id}"')]).toEqual([true, true]);
  expect(findLosses(TEMPLATE, template)).toEqual([]);
});

const known = new Map(
  loadAwsServiceSpecSync()
    .all('resource')
    .map(({ cloudFormationType, properties }) => [cloudFormationType, properties]),
);

test("by AWS's data, no property that may change replaces its resource", () => {
  const replacing = Object.keys(TYPES).flatMap((type) =>
    Object.keys(allowedChanges(type)).filter(
      (path) => known.get(type)?.[path.split('.')[1] ?? '']?.causesReplacement === 'yes',
    ),
  );
  expect(replacing).toEqual([]);
  expect(Object.keys(TYPES).filter((type) => !known.has(type))).toEqual([]);
});

test("of AWS's properties that our templates lack, only these may appear", () => {
  const mayAppear = ({ Type, Properties = {} }: Json, name: string) => {
    const after = { Type, Properties: { ...Properties, [name]: 'another' } };
    const [was, is] = [{ Type, Properties }, after].map((resource) => ({ Resources: { resource } }));
    return Properties[name] === undefined && findLosses(was as Json, is as Json).length === 0;
  };
  const appearing = Object.values<Json>(Resources).flatMap((each) =>
    Object.keys(known.get(each.Type) ?? {})
      .filter((name) => mayAppear(each, name))
      .map((name) => `${each.Type.replace('AWS::', '')} ${name}`),
  );
  expect(new Set(appearing)).toEqual(
    new Set([
      ...['ApiGateway::Stage Description', 'CloudWatch::Dashboard Tags'],
      ...['Logs::QueryDefinition Parameters', 'Logs::QueryDefinition QueryLanguage'],
    ]),
  );
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
    'which permissions are lost and gained, of which a Deny is one',
    statements(([first]) => Object.assign(first, { Effect: 'Deny' })),
    `FunctionRoleDefaultPolicy (AWS::IAM::Policy): loses {"Effect":"Allow","Action":"dynamodb:PutItem","Resource":"\${Plants.Arn}"}; ` +
      `gains {"Effect":"Deny","Action":"dynamodb:PutItem","Resource":"\${Plants.Arn}"}.`,
  ],
])('a line says %s', (_, change, line) => {
  expect(lossesOf(change)[0]).toBe(line);
});

test.each<[what: string, one: Change, other: Change]>([
  ['what is new', add('Extra', 'Custom::A', { a: 1 }), add('Extra', 'Custom::A', { a: 2 })],
  ['what a macro may rewrite', sections({ Transform: 'A' }), sections({ Transform: 'B' })],
])('a line has a digest of what it leaves out: %s', (_, one, other) => {
  const [[first = ''], [second = '']] = [lossesOf(one), lossesOf(other)];
  expect(first).toMatch(/ \[[0-9a-f]{12}\]$/);
  expect(second.slice(0, -14)).toBe(first.slice(0, -14));
  expect(second).not.toBe(first);
});
