import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { Tags } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import type { Stage } from '../../infra/stage-settings.ts';
import { copyOf, EVERYTHING, type Json, PROTECTED, synth, UNPROTECTED } from '../../test/infra/synth.ts';
import { MAY_CHANGE } from './harmless.ts';
import { findLosses } from './losses.ts';

/** The template of a stage with every option: firewall, domain, email, pager, ceilings. */
const TEMPLATE: Json = copyOf(EVERYTHING).template;
const { Resources } = TEMPLATE;
/** The logical id that begins like this: a digest or the name of the stage may follow. */
const idOf = (start: string) =>
  start in Resources ? start : (Object.keys(Resources).find((id) => id.startsWith(start)) ?? '');
/** What the guard says of a changed template. */
const lossesOf = (change: (resources: Json, template: Json) => unknown) => {
  const after = structuredClone(TEMPLATE);
  change(after.Resources, after);
  expect(after).not.toEqual(TEMPLATE);
  return findLosses(TEMPLATE, after).map(({ line }) => line);
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

type Row = [id: string, path: string, before: unknown, after: unknown];
const KEY = [{ Key: 'a', Value: '1' }];
/** Whether a value may become another one; undefined: absent. */
const VALUES: Readonly<Record<'refused' | 'passes', readonly Row[]>> = {
  refused: [
    ['Plants', 'UpdateReplacePolicy', 'Retain', 'RetainExceptOnCreate'],
    ['Plants', 'DeletionPolicy', 'Retain', 'Delete'],
    ['Plants', 'Properties.Replicas.0.DeletionProtectionEnabled', true, false],
    ['Plants', 'Properties.SSESpecification', { SSEEnabled: true }, undefined],
    ['FunctionRoleDefaultPolicy', 'Properties.PolicyDocument.Statement.0.Action', 'dynamodb:PutItem', '*'],
    // It decides who may create plants.
    ['Function', 'Properties.Environment.Variables.IDENTITY_PROVIDER', undefined, 'any'],
    ['Api', 'Properties.Policy', undefined, {}],
    ['Faults', 'Properties.AlarmActions', ['arn:topic'], []],
    ['Faults', 'Properties.ActionsEnabled', true, false],
    [
      'Deployment',
      'Properties.AlarmConfiguration.Alarms',
      [{ Name: 'Faults' }, { Name: 'Errors' }],
      [{ Name: 'Faults' }],
    ],
    ['ApiDeploymentStage', 'Properties.AccessLogSetting.Format', 'one', 'another'],
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
  ],
};
describe.each(Object.entries(VALUES))('%s', (kind, rows) => {
  test.each(rows)('%s %s: %j, then %j', (start, path, ...values) => {
    const [before, after] = values.map((value) => {
      const template = structuredClone(TEMPLATE);
      const steps = path.split('.');
      const parent = steps.slice(0, -1).reduce((each, step) => each[step], template.Resources[idOf(start)]);
      if (value === undefined) delete parent[steps.at(-1) ?? ''];
      else parent[steps.at(-1) ?? ''] = value;
      return template;
    });
    expect(findLosses(before, after).length).toBe(kind === 'refused' ? 1 : 0);
  });
});

/** Adds a copy of a resource. @param properties that differ */
const copyOfResource = (start: string, properties: Json) => (all: Json) => {
  const resource = all[idOf(start)];
  all.Extra = { ...resource, Properties: { ...resource.Properties, ...properties } };
};

test.each<[string, string, (resources: Json, template: Json) => unknown]>([
  [
    'another host',
    'The output BaseUrl: ',
    (_, { Outputs }) => Object.assign(Outputs.BaseUrl, { Value: 'x' }),
  ],
  ['another parameter', 'Parameters: ', (_, template) => Object.assign(template, { Parameters: {} })],
  ['a second alarm of one name', 'Extra (', (all) => Object.assign(all, { Extra: all.Faults })],
  [
    'an alarm that runs a function',
    'Extra (',
    copyOfResource('Faults', { AlarmName: 'a', AlarmActions: ['arn'] }),
  ],
  [
    'a version of another function',
    'Extra (',
    copyOfResource('FunctionCurrentVersion', { FunctionName: 'a' }),
  ],
  ['another deployment for another stage', 'Extra (', copyOfResource('ApiDeployment', { StageName: 'prod' })],
  [
    'a saved query that becomes a topic',
    'ErrorsQuery (',
    ({ ErrorsQuery }) => Object.assign(ErrorsQuery, { Type: 'AWS::SNS::Topic' }),
  ],
])('refused: %s', (_, start, change) => {
  expect(lossesOf(change)[0]?.slice(0, start.length)).toBe(start);
});

test('an alarm more passes, if it does what the others do', () => {
  expect(lossesOf(copyOfResource('Faults', { AlarmName: 'a', Threshold: 9 }))).toEqual([]);
});

test('what CloudFormation makes of a macro is not known, even if the template had it before', () => {
  const before = { ...TEMPLATE, Transform: 'Macro' };
  const after = structuredClone(before);
  expect(findLosses(before, after)).toEqual([]);
  after.Resources.Function.Properties.Description = 'other';
  expect(findLosses(before, after)).toEqual([
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

test.each<[what: string, change: (resources: Json) => unknown, line: string]>([
  [
    'what is left behind, and what may be the same under another id',
    (all) => {
      all.Renamed = all.Plants;
      delete all.Plants;
    },
    'Plants (AWS::DynamoDB::GlobalTable) would be removed from the stack and left behind, unused; new: Renamed (was the id of a construct changed?).',
  ],
  [
    'each change',
    ({ Live }) =>
      Object.assign(Live.Properties, { Name: 'new', 'New\nPlantStore-dev: nothing': '\u009b\nb' }),
    'Live (AWS::Lambda::Alias): Name changes from "live" to "new"; ' +
      'New PlantStore-dev: nothing changes from nothing to "\\u009b\\nb".',
  ],
])('a line says %s', (_, change, line) => {
  expect(lossesOf(change)[0]).toBe(line);
});

/** The ids that the guard lists if these settings of a stage change. */
const listedFor = (stage: Stage, change: Partial<Stage>, tag?: string) => {
  const { template } = synth({ ...stage, ...change }, (stack) => tag && Tags.of(stack).add(tag, 'any'));
  return findLosses(copyOf(stage).template, template).map(({ id }) => id);
};

test('settings that a deployment may change pass as they are synthesized, with a tag on everything', () => {
  const change: Partial<Stage> = {
    throttle: { rate: 1_000, burst: 2_000 },
    tableCeiling: { reads: 100, writes: 400 },
    concurrency: 40,
    startScript: false,
    expectsPlants: { minutes: 30 },
    allowedOrigins: ['https://app.example.com'],
  };
  expect(listedFor(PROTECTED, change, 'team')).toEqual([]);
  expect(listedFor(UNPROTECTED, { isProtected: true })).toEqual([]);
});
