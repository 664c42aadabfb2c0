import { describe, expect, test } from 'vitest';
import { findLosses } from '../../../tools/guard/losses.ts';
import { copyOf, type Json, PROTECTED } from '../../infra/synth.ts';

const deployed: Json = copyOf(PROTECTED).template;
const PLANTS = 'PlantsF7D2F15D';
const LOGS = 'AccessLogs8B620ECA';
const LIVE = 'Live848578DF';
const STAGE = 'ApiDeploymentStageproductionA7298FD9';
const FUNCTION = 'Function76856677';

type Change = (template: Json) => unknown;

function changed(template: Json, change: Change): Json {
  const copy = structuredClone(template);
  change(copy);
  return copy;
}

const sentences = (before: Json, after: Json) => findLosses(before, after).map(({ sentence }) => sentence);

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
    ['AWS::KMS::Key', { DeletionPolicy: 'RetainExceptOnCreate' }, 'key', 'left behind, unused'],
    ['AWS::KMS::Alias', {}, 'key alias', 'deleted'],
    ['AWS::ApiGateway::DomainName', { DeletionPolicy: 'Delete' }, 'domain name', 'deleted'],
    ['AWS::ApiGateway::BasePathMapping', {}, 'path of a domain', 'deleted'],
    ['AWS::Route53::RecordSet', {}, 'DNS record', 'deleted'],
    ['AWS::S3::Bucket', { DeletionPolicy: { Ref: 'Policy' } }, 'AWS::S3::Bucket', 'perhaps deleted'],
    ['Custom::Anything', {}, 'Custom::Anything', 'deleted'],
  ])('%s', (Type, policy, noun, fate) => {
    const before = changed(deployed, ({ Resources }) => {
      Resources.Extra = { Type, ...policy };
    });
    expect(sentences(before, deployed)).toEqual([
      `The ${noun} Extra would be removed from the stack and ${fate}.`,
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
  const after = changed(deployed, ({ Resources }) => {
    Resources.Extra = { Type };
  });
  const role = changed(deployed, ({ Resources }) => {
    Resources.Extra = { Type: 'AWS::IAM::Role' };
  });
  expect([sentences(deployed, after), sentences(role, after)]).toEqual([expected, expected]);
});

describe('cannot be judged', () => {
  const table = (template: Json, id = PLANTS) => template.Resources[id];
  const replica = (template: Json) => table(template).Properties.Replicas[0];
  const add = (Type: string, Properties: Json): Change => {
    return ({ Resources }) => {
      Resources.Extra = { Type, Properties };
    };
  };
  const change = (property: string, value: unknown): Change => {
    return ({ Resources }) => {
      Resources.Extra.Properties[property] = value;
    };
  };
  const set = (id: string, property: string, value: unknown): Change => {
    return (template) => {
      table(template, id).Properties[property] = value;
    };
  };
  const kept: Change = ({ Parameters }) => {
    Parameters.Kept = { Type: 'String', Default: 'yes' };
  };
  const inStages = (condition: unknown, id = PLANTS): Change => {
    return (template) => {
      kept(template);
      template.Conditions = { IsKept: condition, Others: { 'Fn::Not': [{ Condition: 'IsKept' }] } };
      table(template, id).Condition = 'IsKept';
    };
  };
  const both = (...changes: Change[]): Change => {
    return (template) => changes.forEach((each) => void each(template));
  };
  const equals = (value: unknown) => ({ 'Fn::Equals': [{ Ref: 'Kept' }, value] });
  const otherDefault: Change = (template) => {
    template.Parameters.Kept.Default = 'no';
  };
  const protection = (value: unknown): Change => {
    return (template) => {
      replica(template).DeletionProtectionEnabled = value;
    };
  };
  const twoRegions =
    (...regions: [string, boolean][]): Change =>
    (template) => {
      table(template).Properties.Replicas = regions.map(([Region, DeletionProtectionEnabled]) => ({
        Region,
        DeletionProtectionEnabled,
      }));
    };
  const ttl = (specification: Json): Change => set(PLANTS, 'TimeToLiveSpecification', specification);
  const nothing: Change = () => undefined;
  const never = equals('never');
  const macro = { 'Fn::Transform': { Name: 'Macro' } };
  const encrypted = (key: string) => ({ SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: key });
  const everybody = { Statement: [{ Effect: 'Allow', Principal: '*', Action: 'dynamodb:*', Resource: '*' }] };
  const ref = (name: string) => ({ Ref: name });
  const HERE = 'Replicas[{"Ref":"AWS::Region"}]';

  test.each<[fault: string, before: Change, after: Change, id: string, sentence: string]>([
    // What decides whether a resource exists.
    ['a new condition', nothing, inStages(never), PLANTS, 'Condition changes from nothing to "IsKept"'],
    ['another condition', inStages(equals('yes')), inStages(never), PLANTS, 'Condition changes with IsKept'],
    [
      'another parameter of a condition',
      inStages(equals('yes')),
      both(inStages(equals('yes')), otherDefault),
      PLANTS,
      'Condition changes with IsKept',
    ],
    [
      'a condition in a condition',
      both(inStages(equals('yes')), (template) => {
        table(template).Condition = 'Others';
      }),
      ({ Conditions }) => {
        Conditions.IsKept = never;
      },
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
    [
      'a new macro',
      nothing,
      (template) => {
        template.Transform = 'Macro';
      },
      'Transform',
      'it has a section Transform',
    ],
    [
      'a harmless change in a template with a macro',
      (template) => {
        template.Transform = 'Macro';
      },
      set(LOGS, 'RetentionInDays', 180),
      'Transform',
      'it has a section Transform',
    ],
    [
      'a macro for properties',
      nothing,
      (template) => Object.assign(table(template, LOGS).Properties, macro),
      LOGS,
      `Properties changes from {"RetentionInDays":90} to {"RetentionInDays":90,"Fn::Transform":{"Name":"Macro"}}`,
    ],
    [
      'a harmless change that a macro rewrites',
      (template) => Object.assign(table(template, LOGS), { Transform: { Name: 'Macro' }, Metadata: {} }),
      (template) => Object.assign(table(template, LOGS), { DeletionPolicy: 'RetainExceptOnCreate' }),
      LOGS,
      'it changes from {"Type":"AWS::Logs::LogGroup",…',
    ],
    // Nested templates, and types that the guard does not know.
    [
      'another nested template',
      add('AWS::CloudFormation::Stack', { TemplateURL: 'https://a' }),
      change('TemplateURL', 'https://b'),
      'Extra',
      'TemplateURL changes from "https://a" to "https://b"',
    ],
    [
      'another parameter of a nested template',
      both(kept, add('AWS::CloudFormation::Stack', { Parameters: { Kept: ref('Kept') } })),
      otherDefault,
      'Extra',
      'Parameters.Kept changes with Kept',
    ],
    [
      'another value for a custom resource',
      add('Custom::Anything', { ServiceToken: 'a', Delete: false }),
      change('Delete', true),
      'Extra',
      'Delete changes from false to true',
    ],
    [
      'another setting of an unknown type with data',
      add('AWS::S3::Bucket', { BucketName: 'a', Tags: [] }),
      change('Tags', [{ Key: 'a', Value: 'b' }]),
      'Extra',
      'Tags changes from [] to [{"Key":"a","Value":"b"}]',
    ],
    // Items that expire.
    [
      'items that expire at a time in an attribute by reference',
      nothing,
      ttl({ AttributeName: ref('Kept'), Enabled: true }),
      PLANTS,
      'TimeToLiveSpecification changes from nothing to {"AttributeName":{"Ref":"Kept"},"Enabled":true}',
    ],
    [
      'items that expire by the same attribute as before, when that did nothing',
      ttl({ AttributeName: 'until', Enabled: false }),
      ttl({ AttributeName: 'until', Enabled: true }),
      PLANTS,
      'TimeToLiveSpecification.Enabled changes from false to true',
    ],
    // Who may use it.
    [
      'a table for everybody',
      nothing,
      (template) => Object.assign(replica(template), { ResourcePolicy: { PolicyDocument: everybody } }),
      PLANTS,
      `${HERE}.ResourcePolicy changes from nothing to {"PolicyDocument":…`,
    ],
    [
      'log entries for everybody',
      nothing,
      set(LOGS, 'ResourcePolicyDocument', everybody),
      LOGS,
      'ResourcePolicyDocument changes from nothing to {"Statement":…',
    ],
    // Replicas.
    [
      'one replica less',
      twoRegions(['eu-west-1', true], ['eu-west-2', true]),
      twoRegions(['eu-west-1', true]),
      PLANTS,
      'Replicas[eu-west-2] changes from {"Region":"eu-west-2","DeletionProtectionEnabled":true} to nothing',
    ],
    [
      'a replica in another Region',
      twoRegions(['eu-west-1', true]),
      twoRegions(['eu-west-3', true]),
      PLANTS,
      'Replicas[eu-west-1] changes from {"Region":"eu-west-1","DeletionProtectionEnabled":true} to nothing; Replicas[eu-west-3] changes from nothing to {"Region":"eu-west-3","DeletionProtectionEnabled":true}',
    ],
    [
      'protection of another replica',
      twoRegions(['eu-west-1', true], ['eu-west-2', false]),
      twoRegions(['eu-west-2', true], ['eu-west-1', false]),
      PLANTS,
      'Replicas[eu-west-1].DeletionProtectionEnabled changes from true to false',
    ],
    [
      'two replicas in one Region',
      twoRegions(['eu-west-1', true]),
      twoRegions(['eu-west-1', true], ['eu-west-1', false]),
      PLANTS,
      'Replicas changes from [{"Region":"eu-west-1",…',
    ],
    // Protection.
    [
      'less protection',
      nothing,
      protection(false),
      PLANTS,
      `${HERE}.DeletionProtectionEnabled changes from true to false`,
    ],
    [
      'protection by reference that ends',
      protection(ref('Kept')),
      protection(false),
      PLANTS,
      `${HERE}.DeletionProtectionEnabled changes from {"Ref":"Kept"} to false`,
    ],
    [
      'protection as a text that ends',
      protection('true'),
      protection(false),
      PLANTS,
      `${HERE}.DeletionProtectionEnabled changes from "true" to false`,
    ],
    [
      'protection by reference',
      nothing,
      protection(ref('Kept')),
      PLANTS,
      `${HERE}.DeletionProtectionEnabled changes from true to {"Ref":"Kept"}`,
    ],
    [
      'protection in some stages',
      nothing,
      protection({ 'Fn::If': ['IsKept', true, false] }),
      PLANTS,
      `${HERE}.DeletionProtectionEnabled changes from true to {"Fn::If":["IsKept",true,false]}`,
    ],
    [
      'another parameter of the protection',
      both(kept, protection(ref('Kept'))),
      otherDefault,
      PLANTS,
      `${HERE}.DeletionProtectionEnabled changes with Kept`,
    ],
    [
      'protection from a mapping that changes',
      both(protection({ 'Fn::FindInMap': ['Stages', 'prod', 'kept'] }), (template) => {
        template.Mappings = { Stages: { prod: { kept: true } } };
      }),
      ({ Mappings }) => {
        Mappings.Stages.prod.kept = false;
      },
      PLANTS,
      `${HERE}.DeletionProtectionEnabled changes with Mappings`,
    ],
    [
      'recovery of one day',
      nothing,
      (template) => {
        replica(template).PointInTimeRecoverySpecification.RecoveryPeriodInDays = 1;
      },
      PLANTS,
      `${HERE}.PointInTimeRecoverySpecification.RecoveryPeriodInDays changes from nothing to 1`,
    ],
    [
      'no recovery',
      nothing,
      (template) => {
        delete replica(template).PointInTimeRecoverySpecification;
      },
      PLANTS,
      `${HERE}.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled changes from true to nothing`,
    ],
    [
      'retention by reference',
      nothing,
      set(LOGS, 'RetentionInDays', ref('Kept')),
      LOGS,
      'RetentionInDays changes from 90 to {"Ref":"Kept"}',
    ],
    [
      'retention as a text',
      set(LOGS, 'RetentionInDays', '90'),
      set(LOGS, 'RetentionInDays', 400),
      LOGS,
      'RetentionInDays changes from "90" to 400',
    ],
    // Keys.
    [
      'another key of the table',
      set(PLANTS, 'SSESpecification', encrypted('a')),
      set(PLANTS, 'SSESpecification', encrypted('b')),
      PLANTS,
      'SSESpecification.KMSMasterKeyId changes from "a" to "b"',
    ],
    [
      'a disabled key',
      add('AWS::KMS::Key', { Enabled: true }),
      change('Enabled', false),
      'Extra',
      'Enabled changes from true to false',
    ],
    [
      'another policy of the key',
      add('AWS::KMS::Key', { KeyPolicy: { Statement: [] } }),
      change('KeyPolicy', everybody),
      'Extra',
      'KeyPolicy.Statement changes from [] to [{"Effect":"Allow","Principal":"*","Action":"dynamodb:*","Resource":"*"}]',
    ],
    // References to what changes.
    [
      'the name of the function of the alias',
      nothing,
      set(FUNCTION, 'FunctionName', 'plants'),
      LIVE,
      `FunctionName changes with ${FUNCTION}`,
    ],
    [
      'the condition of the function of the alias',
      nothing,
      inStages(never, FUNCTION),
      LIVE,
      `FunctionName changes with ${FUNCTION}`,
    ],
    [
      'a function that a macro rewrites',
      (template) => Object.assign(table(template, FUNCTION).Properties, macro),
      set(FUNCTION, 'Description', 'another'),
      LIVE,
      `FunctionName changes with ${FUNCTION}`,
    ],
    [
      'an attribute of a function that changes',
      set(PLANTS, 'TableName', { 'Fn::Sub': `plants-\${${FUNCTION}.Version}` }),
      set(FUNCTION, 'Description', 'another'),
      PLANTS,
      `TableName changes with ${FUNCTION}`,
    ],
    [
      'a reference to a resource that is removed',
      both(add('AWS::IAM::Role', {}), set(PLANTS, 'TableName', ref('Extra'))),
      ({ Resources }) => {
        delete Resources.Extra;
      },
      PLANTS,
      'TableName changes with Extra',
    ],
    [
      'a reference to a resource that gets another type',
      both(add('AWS::IAM::Role', {}), set(PLANTS, 'TableName', ref('Extra'))),
      add('AWS::CloudWatch::Alarm', {}),
      PLANTS,
      'TableName changes with Extra',
    ],
    [
      'another parameter in a text',
      both(kept, set(PLANTS, 'TableName', { 'Fn::Sub': `plants-\${Kept}` })),
      otherDefault,
      PLANTS,
      'TableName changes with Kept',
    ],
    [
      'another type with data',
      add('AWS::KMS::Key', {}),
      add('AWS::CloudFormation::Stack', {}),
      'Extra',
      'Type changes from "AWS::KMS::Key" to "AWS::CloudFormation::Stack"',
    ],
    [
      'a circle of references',
      (template) => {
        template.Conditions = { A: { Condition: 'B' }, B: { Condition: 'A' } };
        table(template).Condition = 'A';
      },
      ({ Outputs }) => {
        Outputs.More = { Value: 'a' };
      },
      PLANTS,
      'Condition changes with A',
    ],
  ])('%s', (_, prepare, change, id, sentence) => {
    const before = changed(deployed, prepare);
    const losses = findLosses(before, changed(before, change));
    expect(losses.map((each) => each.id)).toEqual([id]);
    const said = losses[0]?.sentence.replace(/^.* cannot be judged[^:]*: /, '') ?? '';
    // An ellipsis at the end: and so on.
    const length = sentence.endsWith('…') ? sentence.length - 1 : said.length;
    expect(said.slice(0, length)).toBe(sentence.endsWith('…') ? sentence.slice(0, -1) : `${sentence}.`);
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
    ['AWS::S3::Bucket', 'AWS::S3::Bucket', 'its data'],
  ])('%s: says what may be lost', (type, noun, holds) => {
    const before = changed(deployed, add(type, { Other: 1 }));
    expect(sentences(before, changed(before, change('Other', 2)))).toEqual([
      `The ${noun} Extra cannot be judged, so ${holds} may be lost: Other changes from 1 to 2.`,
    ]);
  });

  test('of a long value the first 100 characters are said', () => {
    const after = changed(deployed, set(LOGS, 'Other', 'x'.repeat(200)));
    expect(sentences(deployed, after)).toEqual([
      `The log group ${LOGS} cannot be judged, so log entries may be lost: ` +
        `Other changes from nothing to "${'x'.repeat(99)}….`,
    ]);
  });

  test('what refers to a resource of a type that AWS does not know', () => {
    const before = changed(
      deployed,
      both(add('Custom::Name', { Text: 'a' }), set(PLANTS, 'TableName', ref('Extra'))),
    );
    expect(findLosses(before, changed(before, change('Text', 'b'))).map(({ id }) => id)).toEqual([
      PLANTS,
      'Extra',
    ]);
  });

  test.each<[string, Change, Change]>([
    [
      'a parameter and a mapping that stay',
      both(
        kept,
        (template) => {
          template.Mappings = { Stages: { prod: { kept: true } } };
        },
        set(PLANTS, 'TableName', ref('Kept')),
        protection({ 'Fn::FindInMap': ['Stages', 'prod', 'kept'] }),
      ),
      set(LOGS, 'RetentionInDays', 180),
    ],
    [
      'the ARN of a function that changes',
      set(PLANTS, 'TableName', { 'Fn::GetAtt': [FUNCTION, 'Arn'] }),
      set(FUNCTION, 'Description', 'another'),
    ],
    [
      'the name of a function that changes, in a text',
      set(PLANTS, 'TableName', { 'Fn::Sub': `plants-\${${FUNCTION}}` }),
      set(FUNCTION, 'Description', 'another'),
    ],
    [
      'sections that say nothing about resources',
      nothing,
      (template) =>
        Object.assign(template, {
          AWSTemplateFormatVersion: '2010-09-09',
          Description: 'a',
          Metadata: { a: 1 },
          Outputs: {},
          Rules: {},
        }),
    ],
  ])('but not: %s', (_, prepare, change) => {
    const before = changed(deployed, prepare);
    expect(sentences(before, changed(before, change))).toEqual([]);
  });
});
