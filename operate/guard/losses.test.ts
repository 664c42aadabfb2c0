import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { Tags } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import type { Stage } from '../../infra/stage-settings.ts';
import { copyOf, type Json, synth } from '../../test/infra/synth.ts';
import { EVERYTHING, PROTECTED } from '../../test/support/test-stages.ts';
import { MAY_CHANGE } from './allowed-changes.ts';
import { findLosses } from './losses.ts';

/** The template of a stage with every option: firewall, domain, email, pager, ceilings. */
const TEMPLATE: Json = copyOf(EVERYTHING).template;
const { Resources } = TEMPLATE;
/** The logical id that begins like this: a digest or the name of the stage may follow. */
const idOf = (start: string) =>
  start in Resources ? start : (Object.keys(Resources).find((id) => id.startsWith(start)) ?? '');
/** A copy of a resource. @param properties that differ */
const another = (start: string, properties: Json) => {
  const resource = Resources[idOf(start)];
  return { ...resource, Properties: { ...resource.Properties, ...properties } };
};

const typesOf = (ids: string[]) => new Set(ids.map((id) => Resources[id].Type.replace('AWS::', '')));
const silent = (Changed: Json, name = (id: string) => id) => {
  const listed = findLosses(TEMPLATE, { ...TEMPLATE, Resources: Changed }).map(({ id }) => id);
  return typesOf(Object.keys(Resources).filter((id) => !listed.includes(name(id))));
};
const UNCHECKED = ['Logs::QueryDefinition', 'CloudWatch::Dashboard'];
const REPLACED = ['Lambda::Version', 'ApiGateway::Deployment'];

test('no resource may be removed, except what each deployment replaces, and what holds nothing', () => {
  expect(silent({})).toEqual(new Set([...REPLACED, ...UNCHECKED]));
});

test('no resource may stand there twice, except what gives no access, takes no address and holds nothing', () => {
  const name = (id: string) => `New${id}`;
  const copies = Object.fromEntries(Object.entries(Resources).map(([id, each]) => [name(id), each]));
  expect(silent({ ...Resources, ...copies }, name)).toEqual(
    new Set([...REPLACED, ...UNCHECKED, 'ApiGateway::Resource', 'Logs::LogGroup']),
  );
});

/** The paths in a resource, and whether a value may go there or become another one. */
function mayChange(before: Json): [path: string, passes: boolean][] {
  const after = structuredClone(before);
  const inPart = (part: Json, prefix: string): [string, boolean][] =>
    Object.entries<Json>(part).flatMap(([key, value]) => {
      const path = `${prefix}${Array.isArray(part) ? '*' : key}`;
      const other = typeof value === 'boolean' ? !value : typeof value === 'number' ? value + 1 : 'another';
      const passes = [undefined, other].some((changed) => {
        part[key] = changed;
        const [a, b] = [before, JSON.parse(JSON.stringify(after))];
        return findLosses({ Resources: { a } }, { Resources: { a: b } }).length === 0;
      });
      part[key] = value;
      const inside = !passes && value instanceof Object ? inPart(value, `${path}.`) : [];
      return [[path.replace(/^Properties\./, ''), passes], ...inside];
    });
  return inPart(after, '');
}

test('of all parts of all resources, only these may go or become another value', () => {
  const paths: Record<string, string> = {};
  for (const type of new Set(Object.values<Json>(Resources).map(({ Type }) => Type))) {
    const all = Object.values<Json>(Resources).filter(({ Type }) => Type === type);
    // All properties at once: a log group of somebody else, which has few, may lose them.
    const ofPaths = Map.groupBy(all.flatMap(mayChange), ([path]) => path);
    const isFree = ([path, found]: [string, [string, boolean][]]) =>
      path === 'Properties' ? found.every(([, passes]) => passes) : found.some(([, passes]) => passes);
    const free = [...ofPaths]
      .filter(isFree)
      .map(([path]) => path)
      .sort()
      .join(', ');
    if (free) paths[type.replace('AWS::', '')] = free.replaceAll('gatewayresponse.header.', '');
  }
  expect(paths).toEqual({
    'ApiGateway::Account': 'DependsOn',
    'ApiGateway::Deployment': 'DependsOn, Description, Metadata',
    'ApiGateway::DomainName': 'RegionalCertificateArn',
    'ApiGateway::GatewayResponse':
      'ResponseParameters.access-control-allow-origin, ResponseParameters.access-control-expose-headers, ' +
      'ResponseParameters.vary, ResponseTemplates',
    'ApiGateway::RestApi': 'Description, Name',
    'ApiGateway::Stage':
      'DependsOn, MethodSettings.*.ThrottlingBurstLimit, MethodSettings.*.ThrottlingRateLimit, TracingEnabled',
    'CloudWatch::Alarm': 'ActionsEnabled, AlarmDescription, Metrics.*.Label, Threshold',
    'CloudWatch::Dashboard': 'Properties',
    'DynamoDB::GlobalTable':
      'Replicas.*.ReadOnDemandThroughputSettings.MaxReadRequestUnits, ' +
      'WriteOnDemandThroughputSettings.MaxWriteRequestUnits',
    'Lambda::Alias': 'Description',
    'Lambda::Function':
      'Architectures, Code, DependsOn, Description, Environment.Variables.ALLOWED_ORIGINS, ' +
      'Handler, MemorySize, ReservedConcurrentExecutions, Runtime, Timeout, TracingConfig',
    'Lambda::Version': 'Metadata',
    'Logs::LogGroup': 'RetentionInDays',
    'Logs::QueryDefinition': 'Properties',
    'WAFv2::WebACL': 'Rules.*.Statement.RateBasedStatement.Limit',
  });
});

type Row = [start: string, path: string, before: unknown, after: unknown];
const KEY = [{ Key: 'a', Value: '1' }];
/** Whether a value of a resource or a section of the template may become another one; undefined: absent. */
const VALUES: Readonly<Record<'refused' | 'passes', readonly Row[]>> = {
  refused: [
    ['Plants', 'UpdateReplacePolicy', 'Retain', 'RetainExceptOnCreate'],
    ['Plants', 'DeletionPolicy', 'Retain', 'Delete'],
    // The type of the key: the new table would be empty.
    ['Plants', 'Properties.AttributeDefinitions.0.AttributeType', 'N', 'S'],
    // It may decide who may create plants.
    ['Function', 'Properties.Environment.Variables.ANY', undefined, 'any'],
    ['Api', 'Properties.Policy', undefined, {}],
    ['Faults', 'Properties.ActionsEnabled', true, false],
    ['Deployment', 'Properties.AlarmConfiguration.Alarms', [{ Name: 'a' }, { Name: 'b' }], [{ Name: 'a' }]],
    ['Plants', 'Properties.WriteOnDemandThroughputSettings.MaxWriteRequestUnits', undefined, 1],
    ['FunctionLogs', 'Properties.RetentionInDays', 365, 3],
    ['Function', 'Properties.ReservedConcurrentExecutions', 50, 0],
    ['Function', 'Properties.ReservedConcurrentExecutions', undefined, 1],
    ['Function', 'Properties.MemorySize', 1024, 300],
    ['ApiDeploymentStage', 'Properties.MethodSettings.0.ThrottlingRateLimit', 700, 0],
    ['Firewall', 'Properties.Rules.0.Statement.RateBasedStatement.Limit', 500, 6_000],
    ['SlowRequests', 'Properties.Threshold', 3_500, 35_000],
    ['Live', 'Properties.FunctionVersion', { 'Fn::GetAtt': [`V${'a'.repeat(32)}`, 'Version'] }, '$LATEST'],
    ['Deployment', 'Properties.DeploymentConfigName', 'any', 'CodeDeployDefault.LambdaAllAtOnce'],
    ['AlarmTopic', 'Properties.Tags', KEY, { Ref: 'Kept' }],
    ['AlarmTopic', 'Properties.Tags', KEY, [...KEY, { Key: 'a', Value: '2' }]],
    ['ErrorsQuery', 'Type', 'AWS::Logs::QueryDefinition', 'AWS::SNS::Topic'],
    ['Outputs', 'BaseUrl.Value', 'https://a', 'https://b'],
    ['Parameters', 'BootstrapVersion.Type', 'String', undefined],
    // Another one of the same name, one that runs a function, and those of another function or stage.
    ['Resources', 'Extra', undefined, another('Faults', {})],
    ['Resources', 'Extra', undefined, another('Faults', { AlarmName: 'a', AlarmActions: ['arn'] })],
    ['Resources', 'Extra', undefined, another('FunctionCurrentVersion', { FunctionName: 'a' })],
    ['Resources', 'Extra', undefined, another('ApiDeployment', { StageName: 'prod' })],
  ],
  passes: [
    ['Plants', 'Properties.Replicas.0.DeletionProtectionEnabled', undefined, true],
    ['Plants', 'DeletionPolicy', 'Delete', 'RetainExceptOnCreate'],
    ['FunctionLogs', 'Properties.RetentionInDays', 365, undefined],
    ['Function', 'Properties.ReservedConcurrentExecutions', undefined, 40],
    ['ApiDeploymentStage', 'Properties.MethodSettings.0.ThrottlingRateLimit', 20, 200],
    ['ApiDeploymentStage', 'Properties.MethodSettings.0.MetricsEnabled', undefined, true],
    ['Live', 'UpdatePolicy', undefined, { CodeDeployLambdaAliasUpdate: {} }],
    ['AlarmTopic', 'Properties.Tags', KEY, [{ Key: 'b', Value: '2' }, ...KEY]],
    ['Resources', 'Extra', undefined, another('Faults', { AlarmName: 'a', Threshold: 9 })],
  ],
};
describe.each(Object.entries(VALUES))('%s', (kind, rows) => {
  test.each(rows)('%s %s: %j, then %j', (start, path, ...values) => {
    const [before, after] = values.map((value) => {
      const template = structuredClone(TEMPLATE);
      const steps = path.split('.');
      const root = template[start] ?? template.Resources[idOf(start)];
      const parent = steps.slice(0, -1).reduce((each, step) => each[step], root);
      if (value === undefined) delete parent[steps.at(-1) ?? ''];
      else parent[steps.at(-1) ?? ''] = value;
      return template;
    });
    expect(findLosses(before, after).length).toBe(kind === 'refused' ? 1 : 0);
  });
});

test('what CloudFormation makes of a macro is not known, even if the template had it before', () => {
  const before = { ...TEMPLATE, Transform: 'Macro' };
  const after = structuredClone(before);
  expect(findLosses(before, after)).toEqual([]);
  after.Resources.Function.Properties.Description = 'other';
  expect(findLosses(before, after)).toMatchObject([
    { id: 'Transform', line: expect.stringMatching(/^Transform: /) },
  ]);
});

test("by AWS's data, no property that may change replaces its resource", () => {
  const known = new Map(
    loadAwsServiceSpecSync()
      .all('resource')
      .map(({ cloudFormationType, properties }) => [cloudFormationType, properties]),
  );
  const replacing = Object.entries(MAY_CHANGE).flatMap(([type, allowed]) =>
    Object.keys(allowed).filter((path) => {
      const { [path.split('.')[0] ?? '']: property } = known.get(type) ?? {};
      return !property || property.causesReplacement === 'yes';
    }),
  );
  expect(replacing).toEqual([]);
});

test('a line says each change, what is left behind, and what may be the same under another id', () => {
  const after = structuredClone(TEMPLATE);
  Object.assign(after.Resources.Live.Properties, {
    Name: 'new',
    'New\nPlantStore-dev: nothing': '\u009b\nb',
  });
  after.Resources.Renamed = after.Resources.Plants;
  delete after.Resources.Plants;
  expect(findLosses(TEMPLATE, after).map(({ line }) => line)).toEqual([
    'Plants (AWS::DynamoDB::GlobalTable) would be removed from the stack and left behind, unused; new: Renamed (was the id of a construct changed?).',
    'Live (AWS::Lambda::Alias): Name changes from "live" to "new"; New PlantStore-dev: nothing changes from nothing to "\\u009b\\nb".',
    'Renamed (AWS::DynamoDB::GlobalTable) is new, and not known to be harmless.',
  ]);
});

const TABLE = { Type: 'AWS::DynamoDB::GlobalTable' };
const KEPT = { ...TABLE, DeletionPolicy: 'Retain' };
const withName = (Name: unknown) => ({ Type: 'AWS::Lambda::Alias', Properties: { Name } });
test('no two losses have the same entry in acceptedLosses, whatever their lines say', () => {
  const pairs: [before: Json, after: Json][] = [
    [{ Plants: TABLE }, {}],
    [{ Plants: KEPT }, {}],
    [{ Plants: { Type: 'AWS::SNS::Topic' } }, {}],
    // It may be the same under another id; the new one is a loss of its own.
    [{ Plants: TABLE }, { Other: TABLE }],
    [{ Tokens: TABLE }, {}],
    [{}, { Plants: TABLE }],
    [{}, { Plants: KEPT }],
    [{ Live: withName('a') }, { Live: withName('b') }],
    [{ Live: withName('a') }, { Live: withName(null) }],
    [{ Live: withName('a') }, { Live: withName(undefined) }],
    [{ Live: withName('a') }, { Live: withName('undefined') }],
  ];
  const entries = pairs.flatMap(([before, after]) =>
    findLosses({ Resources: before }, { Resources: after }).map(({ entry }) => entry),
  );
  expect(new Set(entries).size).toBe(entries.length);
});

test('settings that a deployment may change pass as they are synthesized, with a tag on everything', () => {
  const after: Stage = {
    ...PROTECTED,
    throttle: { rate: 1_000, burst: 2_000 },
    tableCeiling: { reads: 100, writes: 400 },
    concurrency: 40,
    plain: true,
    expectsPlants: { minutes: 30 },
    allowedOrigins: ['https://app.example.com'],
  };
  const { template } = synth(after, (stack) => Tags.of(stack).add('team', 'any'));
  expect(findLosses(copyOf({ ...PROTECTED, isProtected: false }).template, template)).toEqual([]);
});
