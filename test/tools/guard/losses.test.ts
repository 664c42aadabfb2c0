import { describe, expect, test } from 'vitest';
import { findLosses } from '../../../tools/guard/losses.ts';
import type { Json } from '../../infra/synth.ts';
import {
  add,
  both,
  type Change,
  changed,
  deployed,
  nothing,
  remove,
  sentences,
  setAttributes,
  setProperties,
  setSections,
} from './changes.ts';

const PLANTS = 'PlantsF7D2F15D';
const LOGS = 'AccessLogs8B620ECA';
const LIVE = 'Live848578DF';
const STAGE = 'ApiDeploymentStageproductionA7298FD9';
const FUNCTION = 'Function76856677';

describe('what leaves the stack is lost', () => {
  test('the table, when the id of its construct is changed', () => {
    const renamed = JSON.parse(JSON.stringify(deployed).replaceAll(PLANTS, 'Herbs12345678'));
    renamed.Resources.Another = { Type: 'AWS::KMS::Key' };
    expect(sentences(deployed, renamed)).toEqual([
      `The table ${PLANTS} would be removed from the stack and left behind, unused; ` +
        'new: Herbs12345678 (was the id of a construct changed?).',
      'The role FunctionRole111A5701 may break earlier versions of the function: ' +
        'loses dynamodb:PutItem on {PlantsF7D2F15D.Arn}.',
      'The table Herbs12345678 would be new and empty; is the data in another one?',
    ]);
  });

  test('everything, when the stage is removed', () => {
    expect(sentences(deployed, { Resources: {} })).toEqual([
      `The table ${PLANTS} would be removed from the stack and left behind, unused.`,
      'The table AccessTokensB65260D5 would be removed from the stack and left behind, unused.',
      'The log group FunctionLogsAE28C13D would be removed from the stack and left behind, unused.',
      `The function alias ${LIVE} would be removed from the stack and deleted.`,
      `The log group ${LOGS} would be removed from the stack and left behind, unused.`,
      'The API ApiF70053CD would be removed from the stack and deleted.',
      `The API stage ${STAGE} would be removed from the stack and deleted.`,
      'The topic AlarmTopicD01E77F9 would be removed from the stack and deleted.',
      'The role FunctionRole111A5701 would be removed, but earlier versions of the function use it.',
    ]);
  });

  test.each([
    ['RetainExceptOnCreate', 'left behind, unused'],
    ['Delete', 'deleted'],
    [{ Ref: 'Policy' }, 'perhaps deleted'],
  ])('a key with the policy %j', (DeletionPolicy, fate) => {
    expect(sentences(changed(add('Extra', { Type: 'AWS::KMS::Key', DeletionPolicy })), deployed)).toEqual([
      `The key Extra would be removed from the stack and ${fate}.`,
    ]);
  });

  test('a table with the id "constructor", which every JavaScript object has', () => {
    const before = { Resources: { constructor: { Type: 'AWS::DynamoDB::GlobalTable' } } };
    expect(sentences(before, { Resources: { Other: { Type: 'constructor' } } })).toEqual([
      'The table constructor would be removed from the stack and deleted.',
      'The new constructor Other cannot be judged.',
    ]);
  });
});

test.each([
  ['AWS::KMS::Key', []],
  ['AWS::IAM::Role', []],
  ['AWS::DynamoDB::GlobalTable', ['The table Extra would be new and empty; is the data in another one?']],
  ['AWS::CloudFormation::Stack', ['The new AWS::CloudFormation::Stack Extra cannot be judged.']],
  ['Custom::Anything', ['The new Custom::Anything Extra cannot be judged.']],
])('a new %s, also in the place of a role', (Type, expected) => {
  const after = changed(add('Extra', { Type }));
  const role = changed(add('Extra', { Type: 'AWS::IAM::Role' }));
  expect([sentences(deployed, after), sentences(role, after)]).toEqual([expected, expected]);
});

test.each([
  ['AWS::DynamoDB::GlobalTable', 'table', 'plants or access tokens'],
  ['AWS::Logs::LogGroup', 'log group', 'log entries'],
  ['AWS::KMS::Key', 'key', 'everything that it encrypts'],
  ['AWS::KMS::Alias', 'key alias', 'the name of a key'],
  ['AWS::Lambda::Alias', 'function alias', 'the address that the API calls'],
  ['AWS::ApiGateway::RestApi', 'API', 'the base URL'],
  ['AWS::ApiGateway::Stage', 'API stage', 'the base URL'],
  ['AWS::ApiGateway::DomainName', 'domain name', 'the base URL'],
  ['AWS::ApiGateway::BasePathMapping', 'path of a domain', 'the base URL'],
  ['AWS::Route53::RecordSet', 'DNS record', 'the base URL'],
  ['AWS::SNS::Topic', 'topic', 'confirmed subscriptions'],
  // Types that the guard does not know.
  ['AWS::S3::Bucket', 'AWS::S3::Bucket', 'its data'],
  ['AWS::CloudFormation::Stack', 'AWS::CloudFormation::Stack', 'its data'],
  ['Custom::Anything', 'Custom::Anything', 'its data'],
])('%s: says what is lost or may be', (Type, noun, holds) => {
  const before = changed(add('Extra', { Type, Properties: { Other: 1 } }));
  expect(sentences(before, deployed)).toEqual([
    `The ${noun} Extra would be removed from the stack and deleted.`,
  ]);
  expect(sentences(before, changed(setProperties('Extra', { Other: 2 }), before))).toEqual([
    `The ${noun} Extra cannot be judged, so ${holds} may be lost: Other changes from 1 to 2.`,
  ]);
});

/** Every change of a property by itself is in harmless.test.ts. */
describe('cannot be judged', () => {
  const ref = (name: string) => ({ Ref: name });
  const parameter = (Default: string): Change => {
    return ({ Parameters }) => Object.assign(Parameters, { Kept: { Type: 'String', Default } });
  };
  const [kept, otherDefault] = [parameter('yes'), parameter('no')];
  const equals = (value: string) => ({ 'Fn::Equals': [ref('Kept'), value] });
  /** A condition, one that refers to it, and a resource that exists on the first. */
  const inStages = (condition: Json, id = PLANTS): Change => {
    const Others = { 'Fn::Not': [{ Condition: 'IsKept' }] };
    const conditions = setSections({ Conditions: { IsKept: condition, Others } });
    return both(kept, conditions, setAttributes(id, { Condition: 'IsKept' }));
  };
  const replica = (fields: Json): Change => {
    return ({ Resources }) => Object.assign(Resources[PLANTS].Properties.Replicas[0], fields);
  };
  const mapped = { 'Fn::FindInMap': ['Stages', 'prod', 'kept'] };
  const mapping = (isKept: boolean) => setSections({ Mappings: { Stages: { prod: { kept: isKept } } } });
  const replicas = (...regions: [string, boolean][]): Change => {
    const Replicas = regions.map(([Region, DeletionProtectionEnabled]) => ({
      Region,
      DeletionProtectionEnabled,
    }));
    return setProperties(PLANTS, { Replicas });
  };
  const macro = { 'Fn::Transform': { Name: 'Macro' } };
  const transformed = setSections({ Transform: 'Macro' });
  const named = (TableName: Json) => setProperties(PLANTS, { TableName });
  const namedLikeRole = both(add('Extra', { Type: 'AWS::IAM::Role' }), named(ref('Extra')));
  const description = setProperties(FUNCTION, { Description: 'another' });
  const days = (RetentionInDays: unknown) => setProperties(LOGS, { RetentionInDays });

  test.each<[fault: string, before: Change, after: Change, id: string, words: string]>([
    // What decides whether a resource exists.
    [
      'another condition',
      inStages(equals('yes')),
      inStages(equals('never')),
      PLANTS,
      'Condition changes with IsKept',
    ],
    [
      'another parameter of a condition',
      inStages(equals('yes')),
      otherDefault,
      PLANTS,
      'Condition changes with IsKept',
    ],
    [
      'a condition in a condition',
      both(inStages(equals('yes')), setAttributes(PLANTS, { Condition: 'Others' })),
      ({ Conditions }) => Object.assign(Conditions, { IsKept: equals('never') }),
      PLANTS,
      'Condition changes with Others',
    ],
    [
      'conditions that a macro rewrites',
      inStages(equals('yes')),
      ({ Conditions }) => Object.assign(Conditions, macro),
      PLANTS,
      'Condition changes with IsKept',
    ],
    // Macros.
    ['a new macro', nothing, transformed, 'Transform', 'it has a section Transform'],
    [
      'a harmless change in a template with a macro',
      transformed,
      days(180),
      'Transform',
      'it has a section Transform',
    ],
    [
      'a macro for properties',
      nothing,
      setProperties(LOGS, macro),
      LOGS,
      `Properties changes from {"RetentionInDays":90} to {"RetentionInDays":90,"Fn::Transform":{"Name":"Macro"}}`,
    ],
    [
      'a harmless change that a macro rewrites',
      setAttributes(LOGS, { Transform: { Name: 'Macro' }, Metadata: {} }),
      setAttributes(LOGS, { DeletionPolicy: 'RetainExceptOnCreate' }),
      LOGS,
      'it changes from {"Type":"AWS::Logs::LogGroup",…',
    ],
    // What is not split into parts.
    [
      'a new object',
      nothing,
      setProperties(PLANTS, { TimeToLiveSpecification: { AttributeName: ref('Kept'), Enabled: true } }),
      PLANTS,
      'TimeToLiveSpecification changes from nothing to {"AttributeName":{"Ref":"Kept"},"Enabled":true}',
    ],
    [
      'a longer list',
      setProperties(PLANTS, { Tags: [] }),
      setProperties(PLANTS, { Tags: [{ Key: 'a', Value: 'b' }] }),
      PLANTS,
      'Tags changes from [] to [{"Key":"a","Value":"b"}]',
    ],
    // Replicas.
    [
      'one replica less',
      replicas(['eu-west-1', true], ['eu-west-2', true]),
      replicas(['eu-west-1', true]),
      PLANTS,
      'Replicas[eu-west-2] changes from {"Region":"eu-west-2","DeletionProtectionEnabled":true} to nothing',
    ],
    [
      'a replica in another Region',
      replicas(['eu-west-1', true]),
      replicas(['eu-west-3', true]),
      PLANTS,
      'Replicas[eu-west-1] changes from {"Region":"eu-west-1","DeletionProtectionEnabled":true} to nothing; Replicas[eu-west-3] changes from nothing to {"Region":"eu-west-3","DeletionProtectionEnabled":true}',
    ],
    [
      'protection of another replica',
      replicas(['eu-west-1', true], ['eu-west-2', false]),
      replicas(['eu-west-2', true], ['eu-west-1', false]),
      PLANTS,
      'Replicas[eu-west-1].DeletionProtectionEnabled changes from true to false',
    ],
    [
      'two replicas in one Region',
      replicas(['eu-west-1', true]),
      replicas(['eu-west-1', true], ['eu-west-1', false]),
      PLANTS,
      'Replicas changes from [{"Region":"eu-west-1",…',
    ],
    [
      'no recovery',
      nothing,
      replica({ PointInTimeRecoverySpecification: undefined }),
      PLANTS,
      'Replicas[{"Ref":"AWS::Region"}].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled changes from true to nothing',
    ],
    // A text, with which no number can be compared.
    ['retention as a text', days('90'), days(400), LOGS, 'RetentionInDays changes from "90" to 400'],
    // References to what changes.
    [
      'protection from a mapping that changes',
      both(mapping(true), replica({ DeletionProtectionEnabled: mapped })),
      mapping(false),
      PLANTS,
      'Replicas[{"Ref":"AWS::Region"}].DeletionProtectionEnabled changes with Mappings',
    ],
    [
      'the name of the function of the alias',
      nothing,
      setProperties(FUNCTION, { FunctionName: 'plants' }),
      LIVE,
      `FunctionName changes with ${FUNCTION}`,
    ],
    [
      'the condition of the function of the alias',
      nothing,
      inStages(equals('never'), FUNCTION),
      LIVE,
      `FunctionName changes with ${FUNCTION}`,
    ],
    [
      'a function that a macro rewrites',
      setProperties(FUNCTION, macro),
      description,
      LIVE,
      `FunctionName changes with ${FUNCTION}`,
    ],
    [
      'an attribute of a function that changes',
      named({ 'Fn::Sub': `plants-\${${FUNCTION}.Version}` }),
      description,
      PLANTS,
      `TableName changes with ${FUNCTION}`,
    ],
    [
      'a reference to a resource that is removed',
      namedLikeRole,
      remove('Extra'),
      PLANTS,
      'TableName changes with Extra',
    ],
    [
      'a reference to a resource that gets another type',
      namedLikeRole,
      add('Extra', { Type: 'AWS::CloudWatch::Alarm' }),
      PLANTS,
      'TableName changes with Extra',
    ],
    [
      'another parameter in a text',
      both(kept, named({ 'Fn::Sub': `plants-\${Kept}` })),
      otherDefault,
      PLANTS,
      'TableName changes with Kept',
    ],
    [
      'another type with data',
      add('Extra', { Type: 'AWS::KMS::Key' }),
      add('Extra', { Type: 'AWS::CloudFormation::Stack' }),
      'Extra',
      'Type changes from "AWS::KMS::Key" to "AWS::CloudFormation::Stack"',
    ],
    [
      'a circle of references',
      both(
        setSections({ Conditions: { A: { Condition: 'B' }, B: { Condition: 'A' } } }),
        setAttributes(PLANTS, { Condition: 'A' }),
      ),
      ({ Outputs }) => Object.assign(Outputs, { More: { Value: 'a' } }),
      PLANTS,
      'Condition changes with A',
    ],
  ])('%s', (_, prepare, change, id, words) => {
    const before = changed(prepare);
    const losses = findLosses(before, changed(change, before));
    expect(losses.map((each) => each.id)).toEqual([id]);
    const said = losses[0]?.sentence.replace(/^.* cannot be judged[^:]*: /, '') ?? '';
    // An ellipsis at the end: and so on.
    const length = words.endsWith('…') ? words.length - 1 : said.length;
    expect(said.slice(0, length)).toBe(words.endsWith('…') ? words.slice(0, -1) : `${words}.`);
  });

  test('of a long value the first 100 characters are said', () => {
    expect(sentences(deployed, changed(setProperties(LOGS, { Other: 'x'.repeat(200) })))).toEqual([
      `The log group ${LOGS} cannot be judged, so log entries may be lost: ` +
        `Other changes from nothing to "${'x'.repeat(99)}….`,
    ]);
  });

  test('what refers to a resource of a type that AWS does not know', () => {
    const custom = (Text: string) => add('Extra', { Type: 'Custom::Name', Properties: { Text } });
    const before = changed(both(custom('a'), named(ref('Extra'))));
    expect(findLosses(before, changed(custom('b'), before)).map(({ id }) => id)).toEqual([PLANTS, 'Extra']);
  });

  test.each<[string, Change, Change]>([
    [
      'a parameter and a mapping that stay',
      both(kept, mapping(true), named(ref('Kept')), replica({ DeletionProtectionEnabled: mapped })),
      days(180),
    ],
    ['the ARN of a function that changes', named({ 'Fn::GetAtt': [FUNCTION, 'Arn'] }), description],
    [
      'the name of a function that changes, in a text',
      named({ 'Fn::Sub': `plants-\${${FUNCTION}}` }),
      description,
    ],
    [
      'sections that say nothing about resources',
      nothing,
      setSections({
        AWSTemplateFormatVersion: '2010-09-09',
        Description: 'a',
        Metadata: { a: 1 },
        Outputs: {},
        Rules: {},
      }),
    ],
  ])('but not: %s', (_, prepare, change) => {
    const before = changed(prepare);
    expect(sentences(before, changed(change, before))).toEqual([]);
  });
});
